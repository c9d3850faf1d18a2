"""What goes with the notebooks: pictures, feedback on exercises, and the small models that were trained."""
