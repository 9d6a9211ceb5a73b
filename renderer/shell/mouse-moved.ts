import { useEffect, useState } from 'react';

const hideAfterMs = 3000;

/** True while the mouse moves, and for three seconds after. */
export function useMouseMoved(): boolean {
  const [moved, setMoved] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    function onMove(): void {
      setMoved(true);
      clearTimeout(timer);
      timer = setTimeout(() => setMoved(false), hideAfterMs);
    }
    onMove();
    window.addEventListener('mousemove', onMove);
    return () => {
      window.removeEventListener('mousemove', onMove);
      clearTimeout(timer);
    };
  }, []);
  return moved;
}
