import type { DragEvent } from 'react';

/** What is dragged: an experiment out of the list, or a step of the plan. */
export type Dragged = { experiment: string } | { step: number };

const experimentType = 'application/x-whiteline-experiment';
const stepType = 'application/x-whiteline-step';

export function startDrag(event: DragEvent, dragged: Dragged): void {
  const isStep = 'step' in dragged;
  event.dataTransfer.setData(
    isStep ? stepType : experimentType,
    isStep ? String(dragged.step) : dragged.experiment,
  );
  event.dataTransfer.effectAllowed = isStep ? 'move' : 'copy';
}

/** Whether something of ours hangs at the pointer; what it is, the browser reports only where it is let go. */
export function isOurDrag({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes(experimentType) || dataTransfer.types.includes(stepType);
}

export function draggedBy({ dataTransfer }: DragEvent): Dragged | null {
  const experiment = dataTransfer.getData(experimentType);
  if (experiment !== '') return { experiment };
  const step = dataTransfer.getData(stepType);
  return step === '' ? null : { step: Number(step) };
}
