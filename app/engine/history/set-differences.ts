import { type PathPart, parameterDefault, settingName } from '../../experiments/setting-name';
import type { Run } from '../../facts/run';
import type { NotRecorded, SetDifference } from '../../protocol/history';
import { away, pathText, Settings } from './settings';

type Part = SetDifference['of'];
type Beginning = Pick<Run, Part | 'experiment'>;
const allParts: readonly Part[] = ['environment', 'parameters', 'thresholds'];

/**
 * What differs between the beginnings of runs: what they ran on first, then what was asked for. A field that a run did not record, such as
 * one that an older version did not know, is no change: its value is empty.
 */
export function setDifferences(
  runs: readonly Beginning[],
  parts: readonly Part[] = allParts,
): SetDifference[] {
  return parts.flatMap((of) => {
    const compared = new ComparedSettings(runs, of);
    return compared.paths.flatMap((path) => {
      const values = compared.valuesAt(path);
      const said = values.filter(
        (text, run) => text !== '' && !(text === away && compared.isSaidBefore(path, run)),
      );
      if (new Set(said).size < 2) return [];
      return [{ of, path: pathText(path), name: compared.nameOf(path), values }];
    });
  });
}

/** What some of the runs recorded, and others did not. */
export function notRecorded(runs: readonly Beginning[]): NotRecorded[] {
  const found = new Map<string, NotRecorded>();
  for (const compared of allParts.map((of) => new ComparedSettings(runs, of)))
    for (const path of compared.paths) {
      const lacking = compared.valuesAt(path).flatMap((text, run) => (text === '' ? [run] : []));
      if (lacking.length === 0) continue;
      const name = isOfMovie(runs, path, lacking)
        ? 'properties of a movie (the source is generated)'
        : compared.nameOf(compared.wholeAt(path, lacking));
      found.set(`${name} ${lacking.join()}`, { name, runs: lacking });
    }
  return [...found.values()];
}

/** A generated source has none of what is known of a movie: its fields would fill a page. */
function isOfMovie(
  runs: readonly Beginning[],
  path: readonly PathPart[],
  lacking: readonly number[],
): boolean {
  if (path[0]?.key !== 'source') return false;
  const isMovie = runs.map(({ environment: { source } }) => {
    return typeof source === 'object' && source !== null && 'path' in source;
  });
  return isMovie.includes(true) && lacking.every((run) => !isMovie[run]);
}

/** One part of what several runs recorded of their beginnings. */
class ComparedSettings {
  private readonly settings: readonly Settings[];

  constructor(
    private readonly runs: readonly Beginning[],
    private readonly of: Part,
  ) {
    this.settings = runs.map((run) => new Settings(run[of]));
  }

  /** Of everything that one of the runs has. */
  get paths(): (readonly PathPart[])[] {
    const all = this.settings.flatMap((own) => [...own.all]);
    return [...new Map(all.map(([text, { path }]) => [text, path])).values()];
  }

  valuesAt(path: readonly PathPart[]): string[] {
    return this.runs.map(({ experiment }, run) => {
      const text = this.settings[run]?.textAt(path) ?? '';
      if (text !== '' || this.of !== 'parameters') return text;
      // What has a default is recorded with it: a run without it is of an older version.
      return parameterDefault(experiment, path[0]?.key ?? '') === undefined ? 'not set' : '';
    });
  }

  /** What is away of a run is named once, and not each of its fields and parts. */
  isSaidBefore(path: readonly PathPart[], run: number): boolean {
    const own = this.settings[run];
    return path.slice(0, -1).some(({ isThing }, index) => {
      return isThing && own?.textAt(path.slice(0, index + 1)) === away;
    });
  }

  /** Where these runs recorded nothing at all, the field is named, and not each within it. */
  wholeAt(path: readonly PathPart[], lacking: readonly number[]): readonly PathPart[] {
    const ends = path.map((_, index) => path.slice(0, index + 1));
    return ends.find((end) => lacking.every((run) => !this.settings[run]?.holds(end))) ?? path;
  }

  /** A machine without a name has a number, where there are several. */
  nameOf(path: readonly PathPart[]): string {
    const named = path.map((part, index) => {
      if (!part.isThing || !/^\d+$/.test(part.key)) return part;
      const second = [...path.slice(0, index), { key: '1', isThing: true }];
      const isOnly = !this.settings.some((own) => own.holds(second));
      return { ...part, key: isOnly ? '' : String(Number(part.key) + 1) };
    });
    return settingName(this.of, this.runs[0]?.experiment ?? '', named);
  }
}
