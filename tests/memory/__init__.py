"""What a derivative keeps: checkpointed loops and helpers."""
