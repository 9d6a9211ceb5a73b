import { type ReactNode, useId, useState } from 'react';
import styles from './fold.module.css';

interface Props {
  title: string;
  /** What is in it, in few words. */
  note?: string;
  startsOpen?: boolean;
  /** It opens as soon as this becomes true, and may be closed again. */
  opensFor?: boolean;
  children: ReactNode;
}

/** A part that is folded away until somebody wants it; what is in it is drawn only while it is open. */
export function Fold({ title, note, startsOpen = false, opensFor = false, children }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(startsOpen || opensFor);
  const [wasReason, setWasReason] = useState(opensFor);
  if (wasReason !== opensFor) {
    setWasReason(opensFor);
    if (opensFor) setOpen(true);
  }
  return (
    <div className={styles.fold}>
      <button
        type="button"
        className={styles.title}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M6 4l4 4-4 4" />
        </svg>
        <span>{title}</span> {note && <span className={styles.note}>{note}</span>}
      </button>
      {isOpen && (
        <div id={id} className={styles.inside}>
          {children}
        </div>
      )}
    </div>
  );
}
