import { useEffect } from 'react';
import { stop } from '../engine/actions';
import { useHindrances } from '../engine/hindrances';
import { texts } from '../texts';
import { Button } from './button';
import { Dialog } from './dialog';
import { closeSheet } from './open-sheet';

/** Asks once before a key ends what is being measured. */
export function StopSheet() {
  const { title, text, keep, end } = texts.stopping;
  const canStop = useHindrances().stop === null;
  // It may end by itself before the answer.
  useEffect(() => {
    if (!canStop) closeSheet();
  }, [canStop]);
  const endRun = (): void => {
    closeSheet();
    stop();
  };
  return (
    <Dialog
      title={title}
      closeLabel={keep}
      action={
        <Button size="small" onPress={endRun}>
          {end}
        </Button>
      }
      onClose={closeSheet}
    >
      <p>{text}</p>
    </Dialog>
  );
}
