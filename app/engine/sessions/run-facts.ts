import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { withPresentNames } from '../../experiments/parameter-names';
import { type LostBetweenRows, lostBetweenRowsSchema } from '../../facts/lost-between-rows';
import { type Note, type Run, type RunEvent, runSchema } from '../../facts/run';
import { WhitelineError } from '../../protocol/errors';
import { safeParse } from '../../protocol/safe-parse';
import { followedAgain } from '../runs/typed-again';
import { jsonLines, type LinesRead, newLinesRead, parsed } from './json-lines';
import { readRecorded, statRecorded } from './recorded-file';
import { runFiles } from './run-files';
import { eventsIn, rowsIn, samplesIn } from './run-records';

const count = z.int().nonnegative();

const startSchema = runSchema
  .pick({
    ...{ id: true, experiment: true, title: true, startedAt: true, parameters: true, command: true },
    ...{ thresholds: true, thresholdProfile: true, environment: true, session: true, wallOffsets: true },
    ...{ header: true, gates: true },
  })
  .transform((start) => ({ ...start, parameters: withPresentNames(start.experiment, start.parameters) }));

const endSchema = runSchema.pick({ state: true, endedAt: true, verdict: true, reason: true }).extend({
  /** How much was recorded until then, this event included; a run of an older version does not report it. */
  recorded: z.object({ rows: count, events: count, samples: count }).optional(),
});

/** Details of the `run-started` event: everything that run.json says beyond rows and verdict. */
export type RunStart = z.infer<typeof startSchema>;
/** Details of the `run-ended` event. */
export type RunEnd = z.infer<typeof endSchema>;
export type Recorded = NonNullable<RunEnd['recorded']>;

/** Everything of a run but its rows, and what is missing of it. */
export type RunFacts = Omit<Run, 'schema' | 'rows' | 'missing'>;

/** Of a run whose process is alive. */
export const stillRunning = 'The run is still running';

/** What the events report, and what they say that was recorded until the run's end. */
export interface RecordedFacts {
  facts: RunFacts;
  recorded: Recorded | undefined;
  /** Events up to the end. */
  eventsRead: number;
}

/** Longer than `run.json` of any run that one could still show. */
const longestRunFile = 400e6;

/**
 * What the events of a run report of it. Where its first line is lost, `run.json` gives its beginning; where that is lost
 * too, the folder's name and the time of what was measured first. `running`: the process that writes it is alive.
 * @throws WhitelineError NOT_FOUND if nothing in the folder is of a run
 */
export function factsOf(folder: string, running: boolean, read: LinesRead = newLinesRead()): RecordedFacts {
  const headlines = headlinesIn(folder, read);
  const start = headlines.start ?? derivedStart(folder) ?? lostStart(folder, headlines.firstAt);
  if (!start) throw noRun(folder);
  const { end, title, typedSwitch, hosts, receivedFormats, notes, wallOffsets, lostBetweenRows } = headlines;
  const { recorded, ...ending } = end ?? {
    state: running ? ('running' as const) : ('interrupted' as const),
    ...{ endedAt: null, verdict: null },
    reason: running
      ? stillRunning
      : 'The run was interrupted: rows that were closed are kept, a row that was open is lost',
  };
  const environment = {
    ...start.environment,
    ...hostsOf(start.environment, hosts),
    ...(typedSwitch !== undefined && { switch: typedSwitch }),
    ...(receivedFormats.size > 0 && { receivedFormats: [...receivedFormats] }),
  };
  return {
    facts: {
      ...start,
      ...(start.experiment === 'live' && followingAll(headlines, start.parameters)),
      ...{ title: title ?? start.title, environment, notes, ...ending },
      ...(lostBetweenRows.length > 0 && { lostBetweenRows }),
      ...(start.wallOffsets && { wallOffsets: [...start.wallOffsets, ...wallOffsets] }),
    },
    recorded,
    eventsRead: headlines.eventsRead,
  };
}

interface Headlines {
  start?: RunStart;
  end?: RunEnd;
  title?: string;
  typedSwitch?: string;
  hosts: unknown[];
  /** Of streams when their first pictures came. */
  receivedFormats: Set<string>;
  /** Senders of others in the order in which they were added, each once, with the address where they were not looked for. */
  followed: Map<string, string | undefined>;
  /** Hosts that were asked for their senders meanwhile. */
  searchHosts: Set<string>;
  notes: Note[];
  lostBetweenRows: LostBetweenRows[];
  /** After each change of the wall clock. */
  wallOffsets: NonNullable<Run['wallOffsets']>;
  firstAt?: string;
  eventsRead: number;
}

/** One pass over the events, of which a long run has many: only what concerns the run as a whole is kept. */
function headlinesIn(folder: string, read: LinesRead): Headlines {
  const headlines: Headlines = {
    ...{ hosts: [], receivedFormats: new Set(), followed: new Map(), searchHosts: new Set() },
    ...{ notes: [], wallOffsets: [], lostBetweenRows: [], eventsRead: 0 },
  };
  for (const event of eventsIn(folder, read)) {
    const { kind, text, details } = event;
    headlines.firstAt ??= event.at;
    if (!headlines.end) headlines.eventsRead += 1;
    if (kind === 'run-started') headlines.start ??= checked(startSchema, details, read);
    if (kind === 'run-ended') headlines.end ??= checked(endSchema, details, read);
    if (kind === 'renamed') headlines.title = text;
    if (kind === 'switch') headlines.typedSwitch = text;
    if (kind === 'host-environment') headlines.hosts.push(...[details?.host].filter(isHost));
    if (kind === 'stream-connected' && typeof details?.format === 'string')
      headlines.receivedFormats.add(details.format);
    if (kind === 'stream-added') {
      const { follows } = addedSchema.parse(details);
      if (follows) {
        headlines.followed.set(follows.name, headlines.followed.get(follows.name) ?? follows.address);
        for (const host of follows.from ?? []) headlines.searchHosts.add(host);
      }
    }
    if (kind === 'wall-clock-step' && typeof details?.offsetUs === 'number')
      headlines.wallOffsets.push({ at: event.at, offsetUs: details.offsetUs });
    if (kind === 'lost-between-rows')
      headlines.lostBetweenRows.push(...[checked(lostBetweenRowsSchema, details, read)].filter(isKnown));
    headlines.notes.push(...noteOf(event));
  }
  return headlines;
}

const addedSchema = z
  .object({
    follows: z
      .object({ name: z.string(), address: z.string().optional(), from: z.array(z.string()).optional() })
      .optional(),
  })
  .catch({});

const thresholdsSchema = z.object({ thresholds: z.string().optional() }).catch({});

/** What a live run followed is known once its operator has added it. */
function followingAll(
  { followed, searchHosts }: Headlines,
  parameters: RunStart['parameters'],
): Pick<RunStart, 'parameters' | 'command'> | undefined {
  if (followed.size === 0) return undefined;
  const senders = [...followed].map(([name, address]) => ({ name, address }));
  const { thresholds } = thresholdsSchema.parse(parameters);
  return followedAgain(senders, { from: [...searchHosts], thresholds });
}

function isKnown<Kind>(value: Kind | undefined): value is Kind {
  return value !== undefined;
}

/** An event with damaged details is ignored. */
function checked<Kind>(schema: z.ZodType<Kind>, details: unknown, read: LinesRead): Kind | undefined {
  const result = safeParse(schema, details);
  if (!result.success) read.unreadable += 1;
  return result.data;
}

/** This machine, and those that reported themselves while the run went on. */
function hostsOf(environment: RunStart['environment'], reported: unknown[]): { hosts?: unknown[] } {
  if (!Array.isArray(environment.hosts) && reported.length === 0) return {};
  const known: unknown[] = Array.isArray(environment.hosts) ? environment.hosts.filter(isHost) : [];
  const byText = new Map([...known, ...reported].map((host) => [JSON.stringify(host), host]));
  return { hosts: [...byText.values()] };
}

/** Readers name a host, where it has a name. */
function isHost(host: unknown): boolean {
  if (typeof host !== 'object' || host === null) return false;
  const { hostName } = host as { hostName?: unknown };
  return hostName === undefined || typeof hostName === 'string';
}

function noteOf({ at, kind, text, details }: RunEvent): Note[] {
  if (kind !== 'note' && kind !== 'marker' && kind !== 'picture') return [];
  return [{ at, kind, text, ...(typeof details?.file === 'string' && { file: details.file }) }];
}

/** From run.json, which is written whole: an absent or incomplete one counts as none. */
function derivedStart(folder: string): RunStart | undefined {
  const bytes = readRecorded(join(folder, runFiles.run), longestRunFile);
  return typeof bytes === 'string' ? undefined : safeParse(startSchema, parsed(bytes.toString('utf8'))).data;
}

const unknownRun = { experiment: 'unknown', environment: {} };

/** Of a run that was cut off within its first line; undefined for files in which nothing is ours. */
function lostStart(folder: string, firstEventAt: string | undefined): RunStart | undefined {
  const events = join(folder, runFiles.events);
  const cutAt = first(jsonLines(events)) === undefined ? statRecorded(events) : undefined;
  const known = [first(rowsIn(folder))?.from, firstEventAt, firstSampleAt(folder)];
  const [startedAt = cutAt ? cutAt.mtime.toISOString() : undefined] = known
    .filter((at): at is string => typeof at === 'string' && at !== '')
    .sort();
  if (startedAt === undefined) return undefined;
  return {
    id: basename(resolve(folder)),
    title: 'A run whose beginning is lost',
    startedAt,
    ...{ parameters: {}, command: '', thresholds: {}, ...unknownRun },
  };
}

function firstSampleAt(folder: string): string | undefined {
  const sample = first(samplesIn(folder));
  return sample && new Date(sample.wallMs).toISOString();
}

function first<Kind>(records: Generator<Kind>): Kind | undefined {
  for (const record of records) return record;
  return undefined;
}

function noRun(folder: string): WhitelineError {
  return new WhitelineError({
    code: 'NOT_FOUND',
    message: `${folder} holds no run`,
    field: 'folder',
    value: folder,
    remedy: `Choose a folder with ${runFiles.events} in it`,
  });
}
