// Lets an element be dragged by mouse, pen or finger: `move` gets each new pointer event.
attentionLive.tools.draggable ??= (handle, move) => {
  // Else a finger scrolls the page.
  handle.style.touchAction = "none";
  handle.onpointerdown = (event) => {
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
  };
  handle.onpointermove = (event) => {
    if (handle.hasPointerCapture(event.pointerId)) move(event);
  };
};
