"use strict";
(() => {
  const lines = [...document.querySelectorAll("#code .ln")];
  const byNumber = new Map();
  const numbersOf = (line) => (line.dataset.of ? line.dataset.of.split(" ") : []);
  for (const line of lines) {
    for (const number of numbersOf(line)) {
      if (!byNumber.has(number)) byNumber.set(number, []);
      byNumber.get(number).push(line);
    }
  }
  let lit = [];
  const isPrimal = (line) => line.parentElement.classList.contains("primal");
  const counterparts = (line) => {
    const found = new Set();
    for (const number of numbersOf(line)) {
      for (const other of byNumber.get(number)) {
        if (isPrimal(other) !== isPrimal(line)) found.add(other);
      }
    }
    return [...found];
  };
  const dim = () => {
    for (const line of lit) line.classList.remove("lit");
    lit = [];
  };
  const light = (line) => {
    dim();
    if (!line || !line.dataset.of) return;
    lit = [line, ...counterparts(line)];
    for (const other of lit) other.classList.add("lit");
  };
  const number = (line) => line.querySelector(".no").dataset.no;
  const tell = (line) => {
    const found = counterparts(line).map(number);
    document.getElementById("say").textContent = found.length ? "counterparts in line " + found.join(", ") : "no counterpart";
  };
  const show = (line) => {
    const pane = line.closest(".pane");
    const box = pane.getBoundingClientRect();
    const at = line.getBoundingClientRect();
    if (at.top < box.top + 40 || at.bottom > box.bottom - 20) pane.scrollTop += at.top - box.top - box.height / 3;
    const where = pane.getBoundingClientRect();
    if (where.top > innerHeight - 80 || where.bottom < 80) line.scrollIntoView({ block: "center" });
  };

  const code = document.getElementById("code");
  const lineOf = (event) => event.target.closest && event.target.closest("#code .ln");
  code.addEventListener("mouseover", (event) => light(lineOf(event)));
  code.addEventListener("mouseleave", () => light(document.activeElement.closest("#code .ln")));
  code.addEventListener("focusin", (event) => { const line = lineOf(event); light(line); if (line) tell(line); });
  code.addEventListener("focusout", dim);
  code.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (!line || String(getSelection())) return;
    move(line);
    const others = counterparts(line);
    if (others.length) show(others[0]);
  });
  for (const list of document.querySelectorAll("#code .lines")) {
    for (const line of list.children) line.tabIndex = -1;
    if (list.firstElementChild) list.firstElementChild.tabIndex = 0;
  }
  const move = (line) => {
    for (const other of line.parentElement.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    line.tabIndex = 0;
    line.focus();
  };
  code.addEventListener("keydown", (event) => {
    const line = lineOf(event);
    if (!line || event.ctrlKey || event.metaKey || event.altKey) return;
    const ends = { Home: line.parentElement.firstElementChild, End: line.parentElement.lastElementChild };
    const steps = { ArrowDown: line.nextElementSibling, ArrowUp: line.previousElementSibling, ...ends };
    let next = steps[event.key];
    if (event.key === "Enter") next = counterparts(line)[0];
    if (event.key in steps || event.key === "Enter") event.preventDefault();
    if (next) { move(next); show(next); }
  });

  const tabs = [...document.querySelectorAll(".tabs a")];
  const panels = tabs.map((tab) => document.getElementById(tab.id.replace("tab-", "stage-")));
  const choose = (index, focus) => {
    tabs.forEach((tab, k) => {
      tab.setAttribute("aria-selected", String(k === index));
      tab.tabIndex = k === index ? 0 : -1;
      panels[k].hidden = k !== index;
    });
    if (focus) tabs[index].focus();
  };
  if (tabs.length) {
    tabs[0].parentElement.setAttribute("role", "tablist");
    tabs[0].parentElement.setAttribute("aria-label", "Stages");
    tabs.forEach((tab, k) => {
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", panels[k].id);
      panels[k].setAttribute("role", "tabpanel");
      panels[k].setAttribute("aria-labelledby", tab.id);
      panels[k].tabIndex = 0;
      tab.addEventListener("click", (event) => { event.preventDefault(); choose(k, true); });
      tab.addEventListener("keydown", (event) => {
        const last = tabs.length - 1;
        const to = { ArrowRight: k === last ? 0 : k + 1, ArrowLeft: k ? k - 1 : last, Home: 0, End: last, " ": k }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        choose(to, true);
      });
    });
    choose(tabs.length - 1, false);
  }
  for (const link of document.querySelectorAll('a[href^="#rule-"]')) {
    link.addEventListener("click", () => { document.querySelector(link.getAttribute("href")).open = true; });
  }
})();
