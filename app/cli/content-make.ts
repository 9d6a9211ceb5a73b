import type { Command } from 'commander';
import { machineClock } from '../engine/clock';
import { contentFolder } from '../engine/content/folder';
import { type ContentProgress, type ContentResult, makeContent } from '../engine/content/make';
import { type ContentClip, type Manifest, readManifest } from '../engine/content/manifest';
import { usualClip, type Variant, variants } from '../engine/content/recipe';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes } from '../protocol/errors';
import { formatText, parseRate, parseSize } from '../protocol/format';
import { leftText } from '../protocol/progress-words';
import { contentHosts } from './content-host';
import { finish } from './finish';
import { appFolder } from './folders';
import { abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { FrameProgress } from './progress';
import { print, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface MakeFlags {
  size: string;
  rate: string;
  clipLength: string;
  clips?: readonly string[];
  contentFolder: string;
  chunks: string;
  variant: string;
  force?: boolean;
  json?: boolean;
}

/** `whiteline content make`. */
export function addMakeCommand(content: Command): void {
  content
    .command('make')
    .description('Makes the clips of the content battery, and decodes each to check it')
    .option('--size <size>', 'of the pictures; width and height are multiples of 4', '3840x2160')
    .option('--rate <rate>', 'frames per second', '60')
    .option(
      '--clip-length <duration>',
      'length of each clip, after which it starts again',
      `${usualClip.seconds}s`,
    )
    .addOption(listOption('--clips <names...>', 'these clips only, for example flares,noise'))
    .option('--content-folder <folder>', 'where the clips go', contentFolder())
    .option(
      '--chunks <n>',
      'pieces of a frame that can be decompressed in parallel, 1 to 64',
      String(usualClip.chunks),
    )
    .option('--variant <variant>', Object.keys(variants).join(', '), usualClip.variant)
    .option('--force', 'also makes the clips that already exist')
    .option('--json', 'one JSON object per clip')
    .action(finish(makeCommand));
}

async function makeCommand(flags: MakeFlags): Promise<number> {
  const manifest = readManifest(appFolder);
  const request = {
    manifest,
    clips: chosenClips(manifest, flags.clips),
    folder: flags.contentFolder,
    force: flags.force ?? false,
    format: { ...parseSize(flags.size, 'size'), rate: parseRate(flags.rate) },
    seconds: parseDuration(flags.clipLength, 'clipLength'),
    chunks: wholeNumber(flags.chunks, 'chunks'),
    variant: flags.variant as Variant,
  };
  const { signal } = abortOnInterrupt();
  const output = new MakeOutput(flags.json ?? false);
  await contentHosts
    .with((host) => makeContent(host, request, output, { clock: machineClock, signal }))
    .finally(() => output.end());
  return exitCodes.pass;
}

function chosenClips({ clips }: Manifest, names: readonly string[] | undefined): ContentClip[] {
  if (names === undefined) return clips;
  if (names.length === 0) throw badInput('clips', 'names of clips', '', 'Leave it out for all of them');
  return [...new Set(names)].map((name) => {
    const clip = clips.find((candidate) => candidate.name === name);
    if (clip) return clip;
    const known = clips.map((candidate) => candidate.name).join(', ');
    throw badInput('clips', `names out of ${known}`, name, 'Separate several by commas');
  });
}

/** Progress to standard error, what was made to standard output. */
class MakeOutput {
  private line: { of: string; progress: FrameProgress } | null = null;

  constructor(private readonly json: boolean) {}

  readonly onProgress = (progress: ContentProgress): void => {
    const { clip, number, count, stage, framesDone, frames, secondsLeft } = progress;
    const of = `${clip} (${number} of ${count}): ${stage}`;
    if (this.line?.of !== of) {
      this.end();
      this.line = { of, progress: new FrameProgress(of) };
    }
    const note = secondsLeft === null ? '' : `, ${leftText(secondsLeft)}`;
    this.line.progress.show({ framesDone, frames, note });
  };

  readonly onResult = (result: ContentResult): void => {
    this.end();
    const { clip, path, kept, facts } = result;
    if (this.json) {
      printJson({ clip, path, kept, ...facts });
      return;
    }
    const { rateNumerator: numerator, rateDenominator: denominator, width, height } = facts;
    const figures = [
      facts.variant,
      formatText({ width, height, rate: { numerator, denominator } }),
      `${facts.frames} frames`,
      `${facts.bitrateMbps.toFixed(1)} Mb/s`,
      `${(facts.fileBytes / 1e6).toFixed(1)} MB`,
    ];
    const how = kept ? 'was there' : 'every frame decoded';
    print(`${clip.padEnd(17)} ${figures.join(', ')}; ${how}`, `                  ${path}`);
  };

  end(): void {
    this.line?.progress.end();
    this.line = null;
  }
}
