import { z } from 'zod';
import type { Run } from '../facts/run';

/** What was sent or received in a run, as lists, titles and tables have it. Empty: the run has none, or did not record it. */
export interface Tested {
  /** Kinds of generated sources, names of movies and clips, or of the senders that were followed. */
  sources: string[];
  /** As "1920x1080@59.94". */
  formats: string[];
}

const text = z.string().optional().catch(undefined);
const texts = z.array(z.string()).catch([]);

/** A source as a run's environment has it; `format` is that which was sent, and older runs do not have it. */
const playedSchema = z
  .object({ kind: text, path: text, name: text, format: text, ownFormat: text })
  .catch({ kind: undefined });

/** Parameters of experiments with streams. */
const askedSchema = z.object({
  ...{ source: text, format: text, rate: text, scale: text },
  /** Of a watch: its senders. Of `codec-quality`: clips, further sources and sizes of both. */
  ...{ names: texts, clips: texts, sources: texts, sizes: texts },
  streams: z
    .union([z.number(), z.array(z.number())])
    .optional()
    .catch(undefined),
});

/** Where streams are followed, the senders' formats are those of the first pictures. */
const environmentSchema = z.object({ receivedFormats: texts });

export function testedOf({ parameters, environment }: Pick<Run, 'parameters' | 'environment'>): Tested {
  const asked = askedSchema.parse(parameters);
  const { source, sources = source === undefined ? [] : [source] } = environment;
  const played = z.array(playedSchema).catch([]).parse(sources);
  const { receivedFormats } = environmentSchema.parse(environment);
  if (played.length > 0)
    return {
      sources: distinct(played.map(({ kind, path, name }) => lastPart(path ?? name ?? kind ?? ''))),
      formats: distinct(played.map((one) => one.format ?? formatBefore(one, asked))),
    };
  const isWithout = [asked.streams ?? 1].flat().every((count) => count === 0);
  if (isWithout) return { sources: [], formats: [] };
  const named = [asked.source ?? '', ...asked.names, ...asked.clips, ...asked.sources.map(lastPart)];
  const sized = asked.sizes.map((size) => (asked.rate === undefined ? size : `${size}@${asked.rate}`));
  const formats = receivedFormats.length > 0 ? receivedFormats : [asked.format ?? '', ...sized];
  const names = distinct(named);
  // Without a source nothing was sent: a size is one to calculate with, as that of movies to be read from a disk.
  return { sources: names, formats: names.length > 0 ? distinct(formats) : [] };
}

/** Of a run that recorded no format of its source: a generated one had that of the parameters, a movie its own or its size. */
function formatBefore(
  { path, name, ownFormat }: z.infer<typeof playedSchema>,
  { format = '', scale, rate }: z.infer<typeof askedSchema>,
): string {
  if (path === undefined && name === undefined) return format;
  const [size = '', ownRate = ''] = (ownFormat ?? '').split('@');
  return ownFormat === undefined ? '' : `${scale ?? size}@${rate ?? ownRate}`;
}

/** One of each machine that took part: its name in the fleet, or that of its system. */
export function machinesOf({ hosts }: Run['environment']): string[] {
  const machines = z.array(machineSchema).catch([]).parse(hosts);
  return distinct(machines.map(({ machine, hostName }) => machine?.name ?? hostName ?? ''));
}

const machineSchema = z
  .object({ hostName: text, machine: z.object({ name: text }).optional().catch(undefined) })
  .catch({});

/** "white-line, noise and 3 more": a list of names in one line. */
export function shortList(names: readonly string[]): string {
  const shown = names.length > mostNamed ? names.slice(0, mostNamed - 1) : names;
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

const mostNamed = 3;

function distinct(found: readonly string[]): string[] {
  return [...new Set(found.filter((one) => one !== ''))];
}

/** Of a movie its file: the folder is one of a machine. */
function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).pop() ?? path;
}
