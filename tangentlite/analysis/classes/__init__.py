"""Objects of the user's classes, said by functions and by what they hold."""
