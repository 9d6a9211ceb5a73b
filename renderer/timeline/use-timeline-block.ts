import { useEffect, useState } from 'react';
import type { TimelineBlock } from '../../app/protocol/timeline';
import { command } from '../engine/connection';
import type { TimeRange } from './view-range';

/** How often what goes on is asked for anew. */
const pauseMs = 500;

/** All moments that there are. */
const allOfIt: TimeRange = { fromMs: 0, toMs: 8.64e15 };

export interface Asked {
  streamId: number;
  /** Without a range it follows the stream. */
  span: 'minute' | 'run';
  range: TimeRange | null;
}

export interface Answered {
  /** Null before the first answer. */
  block: TimelineBlock | null;
  /** The stream is no more; the block is the last one. */
  isGone: boolean;
}

/** What the engine knows of a stream over time, asked for as long as it is shown. */
export function useTimelineBlock({ streamId, span, range }: Asked): Answered {
  const [answered, setAnswered] = useState<Answered>({ block: null, isGone: false });
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const asked = range ?? (span === 'run' ? allOfIt : null);
      const { result } = await command({ name: 'timeline', streamId, range: asked });
      if (!isShown) return;
      setAnswered((before) =>
        result ? { block: result, isGone: false } : { block: before.block, isGone: true },
      );
      // Do not update a range that the operator has zoomed into.
      if (range === null && result) timer = setTimeout(() => void ask(), pauseMs);
    };
    void ask();
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [streamId, span, range]);
  return answered;
}
