import { useEffect, useState } from 'react';
import { texts } from '../texts';
import styles from './drop-target.module.css';

/** Shows that the whole window takes a movie or the folder of a run; the path of what is dropped comes from the shell. */
export function DropTarget() {
  const [isOver, setOver] = useState(false);

  useEffect(() => {
    function onDragOver(event: DragEvent): void {
      event.preventDefault();
      setOver(event.dataTransfer?.types.includes('Files') ?? false);
    }
    function onDragEnd(event: DragEvent): void {
      event.preventDefault();
      setOver(false);
    }
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', onDragEnd);
    document.documentElement.addEventListener('dragleave', onDragEnd);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', onDragEnd);
      document.documentElement.removeEventListener('dragleave', onDragEnd);
    };
  }, []);

  return isOver ? <div className={styles.target}>{texts.source.dropHere}</div> : null;
}
