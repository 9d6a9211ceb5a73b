import { expect, test } from 'vitest';
import { eventKinds, eventUse } from './event-kinds';
import { noteSchema } from './run';

test('what stands with the operator’s notes is what a note can be', () => {
  const notes = eventKinds.filter((kind) => eventUse(kind).report === 'note');
  expect(notes).toEqual(noteSchema.shape.kind.options);
});

test('what the window warns of, or a command prints, can be read of in the report, or in a row', () => {
  const inRows = ['frames-lost'];
  const endsAnAlert = ['host-started'];
  const told = eventKinds.filter((kind) => eventUse(kind).alert || eventUse(kind).printedBy.length > 0);
  const untold = told.filter((kind) => eventUse(kind).report === null);
  expect(untold.sort()).toEqual([...inRows, ...endsAnAlert].sort());
});
