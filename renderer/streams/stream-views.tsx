import { useRef } from 'react';
import type { StreamView } from '../../app/protocol/console';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { texts } from '../texts';
import { columnsFor, type Density, densityOf, previewWidthFor, type Room, useStreamsLook } from './density';
import { StreamPicture } from './stream-picture';
import { RowHeads, StreamRow } from './stream-row';
import { StreamStrip } from './stream-strip';
import { StreamTile } from './stream-tile';
import styles from './stream-views.module.css';
import { useRoom } from './use-room';

const { views, details } = texts.streams;

interface Props {
  streams: readonly StreamView[];
  canRemove: boolean;
  isEnded: boolean;
  /** It is of the past. */
  isStill: boolean;
  /** Why it stands still; empty: it does not. */
  said: string;
  /** Of the pane that they stand in. */
  room: Room | null;
}

/** All streams as densely as their number or the operator wants them, and the choice of it. */
export function StreamViews({ streams, canRemove, isEnded, isStill, said, room }: Props) {
  const { choice, showsDetails } = useStreamsLook();
  const density = densityOf(choice, streams.length, room);
  return (
    <div className={styles.views} data-density={density}>
      <div className={styles.tools}>
        <Choice
          label={views.label}
          options={views.options}
          value={choice}
          onChange={(chosen) => useStreamsLook.setState({ choice: chosen })}
        />
        {density === 'strips' && (
          <Button
            size="small"
            isPressed={showsDetails}
            onPress={() => useStreamsLook.setState({ showsDetails: !showsDetails })}
          >
            {details}
          </Button>
        )}
        {said && <p className={styles.said}>{said}</p>}
      </div>
      <Shown key={density} {...{ density, streams, canRemove, isEnded, isStill, showsDetails }} />
    </div>
  );
}

interface ShownProps extends Omit<Props, 'said' | 'room'> {
  density: Density;
  showsDetails: boolean;
}

function Shown({ density, streams, isStill, showsDetails, ...each }: ShownProps) {
  const still = isStill || undefined;
  // The heading of a sender without our code uses another word for lost frames, so a stream with our code is preferred.
  const headed = streams.find(({ method }) => method === 'frame-code') ?? streams[0];
  switch (density) {
    case 'strips':
      return (
        <div className={styles.strips} data-few={streams.length <= 2 || undefined} data-still={still}>
          {streams.map((stream) => (
            <StreamStrip key={stream.id} stream={stream} showsDetails={showsDetails} {...each} />
          ))}
        </div>
      );
    case 'rows':
      return (
        <div className={styles.rows} data-still={still}>
          {headed && <RowHeads stream={headed} />}
          {streams.map((stream) => (
            <StreamRow key={stream.id} stream={stream} {...each} />
          ))}
        </div>
      );
    case 'grid':
      return (
        <div className={styles.grid} data-still={still}>
          {streams.map((stream) => (
            <StreamTile key={stream.id} stream={stream} {...each} />
          ))}
        </div>
      );
    case 'pictures':
      return <Pictures streams={streams} isStill={isStill} {...each} />;
  }
}

/** A picture, its meter beside it and its figures below. */
const pictureShape = { aspect: 1.6, leastWidth: 170 };

function Pictures({ streams, isStill, ...each }: Omit<ShownProps, 'density' | 'showsDetails'>) {
  const room = useRef<HTMLDivElement>(null);
  const size = useRoom(room);
  const columns = size ? columnsFor(streams.length, size, pictureShape) : 1;
  return (
    <div
      ref={room}
      className={styles.pictures}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      data-still={isStill || undefined}
    >
      {streams.map((stream) => (
        <StreamPicture
          key={stream.id}
          stream={stream}
          mostWidth={previewWidthFor(streams.length)}
          {...each}
        />
      ))}
    </div>
  );
}
