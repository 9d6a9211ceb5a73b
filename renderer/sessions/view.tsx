import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../shell/button';
import { ScrollRoom } from '../shell/scroll-room';
import { texts } from '../texts';
import { useScreenKeys } from './screen-keys';
import { behindOf, goBack, useSessions } from './sessions-store';
import styles from './view.module.css';

/** What is opened from the history: a bar that stays, and below it a room that scrolls. */
export function View({ title, bar, children }: { title: string; bar: ReactNode; children: ReactNode }) {
  // Esc closes what is open, before it stops anything.
  useScreenKeys({ escape: goBack });
  const element = useRef<HTMLElement>(null);

  // The line of the list that had the focus is gone.
  useEffect(() => element.current?.focus(), []);

  return (
    <section
      ref={element}
      className={styles.view}
      aria-label={title}
      tabIndex={-1}
      data-testid="sessions-view"
    >
      <div className={styles.bar}>{bar}</div>
      {children}
    </section>
  );
}

export function Room({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ScrollRoom className={styles.room} label={title}>
      {children}
    </ScrollRoom>
  );
}

export function BackButton() {
  const name = useSessions((state) => behindOf(state).name);
  return (
    <Button size="small" keys="Escape" keyLabel="Esc" onPress={goBack}>
      ← {texts.sessions.back[name]}
    </Button>
  );
}
