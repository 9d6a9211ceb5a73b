import type { ReactNode } from 'react';
import { Button } from '../shell/button';
import { texts } from '../texts';
import { openTimeline } from './open-timeline';
import styles from './timeline-button.module.css';

/** On the strip of a stream. */
export function TimelineButton({ streamId }: { streamId: number }) {
  return (
    <Button size="small" label={texts.timeline.open(streamId)} onPress={() => openTimeline(streamId)}>
      {texts.timeline.short}
    </Button>
  );
}

interface NameProps {
  streamId: number;
  children: ReactNode;
  help: string;
  className?: string;
}

/** The name of a stream, where there is no room for a button beside it. */
export function TimelineName({ streamId, children, help, className }: NameProps) {
  return (
    <button
      type="button"
      className={styles.name}
      aria-label={texts.timeline.open(streamId)}
      title={help}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => openTimeline(streamId)}
    >
      <b className={className}>{children}</b>
    </button>
  );
}
