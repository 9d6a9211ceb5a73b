/** What is done with a kind of event beside recording it. */
interface EventUse {
  /** Where it stands in the report: among the incidents, as a mark in the charts, with the operator’s notes, or nowhere. */
  report: 'incident' | 'mark' | 'note' | null;
  /** The alert that it raises or ends in the window (`app/engine/alerts.ts` has them). */
  alert: 'stall' | 'outage' | 'stream-over' | 'host-died' | 'host-started' | 'damage' | 'problem' | null;
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
  'stream-removed': { ...recorded, report: 'mark', alert: 'stream-over' },
  /** It is called something else from the next row on. */
  'stream-renamed': incident,
  'stream-stalled': { ...incident, alert: 'stall' },
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
  /** As somebody asked it to: nothing is due from then on. */
  'sender-ended': { ...incident, printedBy: ['watch'] },
  'sender-restarted': { ...incident, printedBy: ['watch'] },
  /** A mixer's programme shows another source; the details have the `Cut`. */
  cut: { ...recorded, report: 'mark', printedBy: ['watch'] },
  'stream-state': recorded,
  /** Each loss stands in its row. */
  'frames-lost': { ...recorded, printedBy: ['watch'] },
  /** No row has it; the details have the `LostBetweenRows`. */
  'lost-between-rows': incident,
  /** The longest time without a frame lost or missed, at the end of a run that may be long. */
  'clean-time': { ...incident, printedBy: ['watch'] },
  'metadata-dropped': incident,
  /** A thread that could not keep up lost its real-time priority, or would not give it up. */
  'thread-policy': { ...incident, printedBy: ['send'] },
  'display-shown': incident,
  'display-ended': incident,
  'wall-clock-step': incident,
  'fault-injected': incident,
  /** Faults that were still due when the process that was to put them in died. */
  'fault-lost': { ...incident, printedBy: ['send'] },
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
