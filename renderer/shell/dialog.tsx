import { type ReactNode, useEffect, useId, useRef } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import styles from './dialog.module.css';

interface Props {
  title: string;
  /** For tables. */
  isWide?: boolean;
  onClose: () => void;
  /** What closing it means, where that is an answer. */
  closeLabel?: string;
  /** A second button, after the one that closes; the closing one has the focus first. */
  action?: ReactNode;
  children: ReactNode;
}

/** A modal sheet: the browser keeps the focus inside and gives Esc its meaning. */
export function Dialog(props: Props) {
  const { title, isWide, onClose, closeLabel = texts.actions.close, action, children } = props;
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isClosed = useRef(false);

  useEffect(() => {
    element.current?.showModal();
  }, []);

  /** At once: the browser's own `close` comes a moment later, when the next key may have opened the sheet anew. */
  function close(): void {
    if (isClosed.current) return;
    isClosed.current = true;
    // Gives the focus back to where it was.
    element.current?.close();
    onClose();
  }

  return (
    <dialog
      ref={element}
      className={styles.dialog}
      data-wide={isWide || undefined}
      aria-labelledby={titleId}
      onCancel={close}
      onClose={close}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
      <div className={styles.foot}>
        <Button size="small" keys="Escape" keyLabel="Esc" onPress={close}>
          {closeLabel}
        </Button>
        {action}
      </div>
    </dialog>
  );
}
