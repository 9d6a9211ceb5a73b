import { Button } from '../shell/button';
import { texts } from '../texts';
import { openTimeline } from './open-timeline';

/** On the strip of a stream. */
export function TimelineButton({ streamId }: { streamId: number }) {
  return (
    <Button size="small" label={texts.timeline.open(streamId)} onPress={() => openTimeline(streamId)}>
      {texts.timeline.short}
    </Button>
  );
}
