"""Lists, dicts, objects and closures: their elements, attributes and captured values, and the gradients of them."""
