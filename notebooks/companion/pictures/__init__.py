"""The course's pictures: figures by matplotlib, and live ones that react to the reader."""
