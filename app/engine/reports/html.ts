import { readFileSync } from 'node:fs';
import { eventUse } from '../../facts/event-kinds';
import type { LostBetweenRows } from '../../facts/lost-between-rows';
import type { Run, RunEvent } from '../../facts/run';
import type { StreamMark } from '../../protocol/console';
import { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { plainPageText } from '../../protocol/plain-text';
import type { PageData, PageHeader, ReportData, ReportNote, SessionReportData } from '../../protocol/report';
import { readEvents, readRunWithSamples, readSamples } from '../sessions/read-run';
import { loadColumnsOf, machineLoadsOf, mostPoints, ownSamplesOf } from './load-columns';
import { lossCauses, withFirstLosses } from './loss-causes';
import { mostPictureBytes, picturesOf } from './pictures';

const placeholder = '<script type="application/json" id="whiteline-run">{}</script>';

/** How much of a run stands in a page. */
export interface PageRoom {
  losses: number;
  /** Of the charts over time. */
  points: number;
  pictureBytes: number;
}

/** More losses would not be read, and would take long to print; the causes are reported of all. */
export const roomOfRun: PageRoom = { losses: 500, points: mostPoints, pictureBytes: mostPictureBytes };

/** The report of a run, or of a session, as one page that needs nothing else, out of what it shows. */
export function pageOf(data: ReportData | SessionReportData, header: PageHeader, template: string): string {
  const page: PageData = { ...data, header };
  // No text of the run may end the script that it stands in.
  const json = JSON.stringify(page, (_, value: unknown) =>
    typeof value === 'string' ? plainPageText(value) : value,
  ).replace(/</g, '\\u003c');
  return filled(
    template,
    placeholder.replace('{}', () => json),
  );
}

/** All that the page shows; every figure is read from the run folder. */
export function reportData(folder: string, running: boolean): ReportData {
  const { run, samples } = readRunWithSamples(folder, { running });
  return reportDataOf(folder, run, roomOfRun, samples);
}

/** The same for a run that was read already, with as much of it as there is room for. */
export function reportDataOf(
  folder: string,
  run: Run,
  room: PageRoom,
  samples: readonly LoadSample[] = readSamples(folder),
): ReportData {
  const events = readEvents(folder);
  const { rows, leftOut } = withFirstLosses(run.rows, room.losses);
  const machines = machineLoadsOf(samples, room.points);
  const { lostBetweenRows } = run;
  const between = lostBetweenRows?.flatMap(({ losses }) => losses);
  return {
    run: { ...run, rows, ...(lostBetweenRows && { lostBetweenRows: shortened(lostBetweenRows, room) }) },
    load: loadColumnsOf(ownSamplesOf(samples), run.rows, room.points, between),
    ...(machines.length > 0 && { machines }),
    marks: marksOf(run, events),
    causes: lossCauses(run.rows),
    leftOut,
    notes: notesOf(run, events),
    ...picturesOf(folder, run, room.pictureBytes),
  };
}

/** The first losses of each. */
function shortened(lost: readonly LostBetweenRows[], { losses: most }: PageRoom): LostBetweenRows[] {
  const each = Math.floor(most / lost.length);
  return lost.map((one) => ({ ...one, losses: one.losses.slice(0, each) }));
}

function filled(templatePath: string, script: string): string {
  let template: string;
  try {
    template = readFileSync(templatePath, 'utf8');
  } catch {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The report's template ${templatePath} is absent`,
      field: 'template',
      value: templatePath,
      remedy: 'Build the app first: npm run build',
    });
  }
  if (template.includes(placeholder)) return template.replace(placeholder, () => script);
  throw new WhitelineError({
    code: 'NOT_FOUND',
    message: `The report's template ${templatePath} has no place for a run`,
    field: 'template',
    value: templatePath,
    remedy: 'Build the app again: npm run build',
  });
}

/** Notes of the operator between the incidents of the run. */
function notesOf({ notes = [] }: Run, events: readonly RunEvent[]): ReportNote[] {
  const incidents = events.filter(({ kind }) => eventUse(kind).report === 'incident');
  return [...notes, ...incidents]
    .map(({ at, kind, text }) => ({ at, kind, text }))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** Where streams were added and removed, and where the operator set a marker. */
export function marksOf({ notes = [] }: Run, events: readonly RunEvent[]): StreamMark[] {
  const marks: StreamMark[] = [];
  for (const event of events) {
    if (eventUse(event.kind).report !== 'mark') continue;
    const streams = event.details?.streams;
    const known = typeof streams === 'number' ? streams : 0;
    marks.push({ kind: 'stream', wallMs: Date.parse(event.at), streams: known, label: event.text });
  }
  for (const { kind, at, text } of notes) {
    if (kind === 'marker') marks.push({ kind: 'marker', wallMs: Date.parse(at), streams: 0, label: text });
  }
  return marks.sort((one, other) => one.wallMs - other.wallMs);
}
