/** The stream whose strip, row or tile has the focus. */
export function focusedStream(): number | undefined {
  const strip = document.activeElement?.closest<HTMLElement>('[data-stream-id]');
  return strip ? Number(strip.dataset.streamId) : undefined;
}
