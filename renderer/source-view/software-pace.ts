const pollMs = 8;
/** After drawing a picture, the processor pauses for this many times as long: the view then takes a fifth of a core. */
const pauseFactor = 4;

/**
 * Calls `next` when what was drawn is there and the processor has had its pause. Without a GPU each picture costs
 * hundreds of milliseconds, and the machine is there for the streams. Returns how to call it off.
 */
export function paceWithoutGpu(gl: WebGL2RenderingContext, next: () => void): () => void {
  const startMs = performance.now();
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  let timer = setTimeout(function look() {
    const isDrawn = !fence || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
    if (isDrawn) {
      gl.deleteSync(fence);
      timer = setTimeout(next, pauseFactor * (performance.now() - startMs));
    } else if (!gl.isContextLost()) timer = setTimeout(look, pollMs);
  }, pollMs);
  return () => clearTimeout(timer);
}
