/** What is done with a kind of event beside recording it. */
interface EventUse {
  /** Where it stands in the report: among the incidents, as a mark in the charts, with the operator’s notes, or nowhere. */
  report: 'incident' | 'mark' | 'note' | null;
  /** The alert that it raises or ends in the window (`app/engine/alerts.ts` has them). */
  alert: 'outage' | 'host-died' | 'host-started' | 'damage' | 'problem' | null;
  /** Commands that print it. */
  printedBy: readonly ('send' | 'watch')[];
}

const recorded: EventUse = { report: null, alert: null, printedBy: [] };
const incident: EventUse = { ...recorded, report: 'incident' };

/** Every kind of event of a run. A new one stands here, and where it is recorded. */
export const eventUses = {
  'run-started': recorded,
  'run-ended': recorded,
  'stream-added': { ...recorded, report: 'mark' },
  'stream-connected': recorded,
  'stream-removed': { ...recorded, report: 'mark' },
  'stream-stalled': incident,
  'stream-recovered': { ...incident, alert: 'outage' },
  'host-started': { ...recorded, alert: 'host-started' },
  'host-died': { ...incident, alert: 'host-died', printedBy: ['send', 'watch'] },
  'helper-died': incident,
  'host-environment': recorded,
  /** Another machine has what the experiment needs there; the details have what it found out. */
  'machine-prepared': recorded,
  'source-failed': { ...incident, printedBy: ['send'] },
  'source-damaged': { ...incident, alert: 'damage', printedBy: ['send'] },
  /** What is particular about how a movie is played. */
  'source-remark': { ...incident, printedBy: ['send'] },
  'wrong-source': incident,
  'sender-restarted': { ...incident, printedBy: ['watch'] },
  'stream-state': recorded,
  /** Each loss stands in its row. */
  'frames-lost': { ...recorded, printedBy: ['watch'] },
  /** The longest time without a lost frame, at the end of a run that may be long. */
  'clean-time': { ...incident, printedBy: ['watch'] },
  'metadata-dropped': incident,
  /** A thread that could not keep up lost its real-time priority, or would not give it up. */
  'thread-policy': { ...incident, printedBy: ['send'] },
  'display-shown': incident,
  'display-ended': incident,
  'wall-clock-step': incident,
  'fault-injected': incident,
  /** Figures of a row that cannot both be true; the details have both. */
  contradiction: incident,
  /** A controller of NMOS changed what is followed, or was refused it. */
  'nmos-activation': incident,
  problem: { ...incident, alert: 'problem', printedBy: ['send', 'watch'] },
  note: { ...recorded, report: 'note' },
  marker: { ...recorded, report: 'note' },
  picture: { ...recorded, report: 'note' },
  renamed: recorded,
  switch: recorded,
  /** Of a newer version than this one: its text says what happened. */
  other: recorded,
} satisfies Record<string, EventUse>;

export type EventKind = keyof typeof eventUses;

export const eventKinds = Object.keys(eventUses) as EventKind[];

/** With the types of the table’s columns instead of those of its cells. */
export function eventUse(kind: EventKind): EventUse {
  return eventUses[kind];
}
