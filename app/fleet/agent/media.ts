import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { NativeHost } from '../../engine/capabilities/native-host';
import { fingerprintClip } from '../../engine/machine/clip-fingerprint';
import { type ChosenSource, chooseSource } from '../../engine/streams/sources/source-choice';
import { badInput, type Problem, toProblem, WhitelineError } from '../../protocol/errors';
import { type MovieChoice, type MovieLook, movieFactSchema } from '../../protocol/fleet/movies';
import type { OpenSource } from '../../protocol/host';
import { plainLine } from '../../protocol/plain-text';
import { safeParse } from '../../protocol/safe-parse';
import type { SourceSettings } from '../../protocol/source-spec';
import { isCalledMovie } from './movie-search';
import { isText } from './text-file';

/** Each inspection takes a process or two. */
const mostAtOnce = 4;
const mostNamed = 10;

/** What to open of a movie, and how a console is told what is wrong with it: by the movie's name, as it knows no folder. */
export interface ChosenMovie extends ChosenSource {
  told(problem: Problem): Problem;
}

/** The movies that the agent's own user lets consoles play: those below some folders, called by their names there. */
export class Media {
  private inspections = 0;

  /**
   * @param machine its agent's name
   * @param host inspects Hap movies
   * @param checkFormat throws where a picture is larger, or comes more often, than the agent's user lets it
   */
  constructor(
    private readonly machine: string,
    readonly folders: readonly string[],
    private readonly host: NativeHost,
    private readonly checkFormat: (source: OpenSource) => void,
  ) {}

  /** What a console is told of a movie. @throws as `choose` */
  async describe(settings: SourceSettings): Promise<MovieChoice> {
    const chosen = await this.choose(settings);
    const { notKnown: _, ...clip } = await fingerprintClip(this.pathOf(settings.source));
    const environment = { ...chosen.environment, ...clip, path: settings.source };
    return choiceOf({ ...chosen, environment });
  }

  /** The same without reading all of it. @throws as `choose` */
  async look(settings: SourceSettings): Promise<MovieLook> {
    const { picture, remarks, movie } = choiceOf(await this.choose(settings));
    return { picture, remarks, movie };
  }

  /**
   * What to open of a movie.
   * @throws WhitelineError NOT_FOUND naming what there is; those of `chooseSource`, which name no folder, and of `checkFormat`
   */
  async choose(settings: SourceSettings): Promise<ChosenMovie> {
    const { source } = settings;
    const path = await this.fileOf(source, 'source');
    if (await isText(path))
      throw badInput(
        'source',
        'a movie',
        source,
        'A text, such as a playlist, may name files outside of the folder',
      );
    if (this.inspections >= mostAtOnce)
      throw badInput('source', `at most ${mostAtOnce} movies inspected at once`, source, 'Try again');
    const told = (problem: Problem) => this.called(source, path, problem);
    this.inspections += 1;
    try {
      const chosen = await chooseSource({ ...settings, source: path }, this.host);
      this.checkFormat(chosen.options);
      return { ...chosen, told };
    } catch (error) {
      throw new WhitelineError(told(toProblem(error)));
    } finally {
      this.inspections -= 1;
    }
  }

  /**
   * The path of a movie. `field`: of the parameter that names it.
   * @throws WhitelineError NOT_FOUND; BAD_INPUT for a text
   */
  async fileOf(name: string, field: string): Promise<string> {
    const path = this.pathOf(name, field);
    if (!(await isText(path))) return path;
    const remedy = 'A text, such as a playlist, may name files outside of the folder';
    throw badInput(field, 'a movie', name, remedy);
  }

  /** @throws WhitelineError NOT_FOUND */
  private pathOf(name: string, field = 'source'): string {
    for (const folder of this.folders) {
      const path = fileBelow(folder, name);
      if (path !== null) return path;
    }
    const known = this.names();
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `${this.machine} has no movie ${plainLine(name)}`,
      ...{ field, value: name },
      remedy: this.remedyOf(known),
    });
  }

  private remedyOf(known: readonly string[]): string {
    if (this.folders.length === 0)
      return 'Start its agent with the folder of its movies: whiteline agent JOINFILE --media FOLDER';
    if (known.length === 0)
      return 'No movie is at the top of its media folders: name the folder below too, or put the movie into one of them, on that machine';
    return `Give its name as it is in a media folder there, such as: ${known.join(', ')}`;
  }

  /** Where the movie is, is of no concern to a console. What to do about it is done where it is. */
  private called(name: string, path: string, { message, value, remedy, ...rest }: Problem): Problem {
    const called = (text: string): string => text.replaceAll(path, name);
    const place = remedy?.includes(path) ? ` (on ${this.machine}, in its media folder)` : '';
    return {
      ...rest,
      message: called(message),
      ...(value !== undefined && { value: called(value) }),
      ...(remedy !== undefined && { remedy: `${called(remedy)}${place}` }),
    };
  }

  private names(): string[] {
    return this.folders.flatMap(moviesIn).slice(0, mostNamed);
  }
}

/** The real path of a file below a folder; null if it is not there, or a link leads out of the folder. */
function fileBelow(folder: string, name: string): string | null {
  try {
    const inside = realpathSync(folder) + sep;
    const path = realpathSync(join(folder, name));
    return path.startsWith(inside) && statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}

function moviesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const movies = entries.filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.') && isCalledMovie(entry.name),
    );
    return movies.map(({ name }) => plainLine(name));
  } catch {
    return [];
  }
}

/** As the console is told: what it is, and by which bytes a stranger knows that he has the same. */
function choiceOf({ options, neededDiskRateMBps, environment, remarks, movie }: ChosenSource): MovieChoice {
  const { kind, width, height, rateNumerator, rateDenominator, aspect, pixelFormat } = options;
  if ((kind !== 'hap' && kind !== 'movie') || !movie) throw new Error(`${kind} is no movie`);
  const picture = { kind, width, height, rateNumerator, rateDenominator, pixelFormat };
  const facts = Object.entries(environment).flatMap(([name, value]) => {
    const { success, data } = safeParse(movieFactSchema, value);
    return success ? [[name, data] as const] : [];
  });
  return {
    picture: { ...picture, ...(aspect !== undefined && { aspect }) },
    ...{ neededDiskRateMBps, remarks, movie, facts: Object.fromEntries(facts) },
  };
}
