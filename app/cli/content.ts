import type { Command } from 'commander';
import type { FfmpegMovie } from '../engine/streams/sources/ffmpeg-movie';
import { checkMovie, inspectMovie } from '../engine/streams/sources/movie';
import { requireMovieFile } from '../engine/streams/sources/movie-file';
import { playTexts } from '../engine/streams/sources/play-words';
import { exitCodes, WhitelineError } from '../protocol/errors';
import { formatText, rateText } from '../protocol/format';
import type { MovieCheckStatus, MovieFacts } from '../protocol/records';
import { contentHosts } from './content-host';
import { addMakeCommand } from './content-make';
import { finish } from './finish';
import { abortOnInterrupt } from './interrupt';
import { FrameProgress } from './progress';
import { linesOf, print, printJson } from './terminal';

interface ContentFlags {
  json?: boolean;
}

/** `whiteline content inspect`, `verify` and `make`. */
export function addContentCommands(content: Command): void {
  addMakeCommand(content);
  content
    .command('inspect <file>')
    .description('Says what a movie is: variant, size, rate, chunks, bitrate, duration, problems')
    .option('--json', 'one JSON object')
    .action(finish(inspectCommand));
  content
    .command('verify <file>')
    .description(
      'Decodes every frame of a Hap movie and names the damaged ones; exit code 1 if there are any',
    )
    .option('--json', 'one JSON object')
    .action(finish(verifyCommand));
}

async function inspectCommand(path: string, { json }: ContentFlags): Promise<number> {
  const movie = await contentHosts.with((host) => inspectMovie(path, host, 'file'));
  const report = movie.kind === 'hap' ? { path, kind: 'hap', ...movie.facts } : ffmpegReport(movie);
  const lines = movie.kind === 'hap' ? hapLines(movie.facts) : ffmpegLines(movie);
  if (json) printJson(report);
  else print(...table(path, lines));
  return exitCodes.pass;
}

async function verifyCommand(path: string, { json }: ContentFlags): Promise<number> {
  requireMovieFile(path, 'file');
  const { signal } = abortOnInterrupt();
  const progress = new FrameProgress('Decoded');
  const status = await contentHosts
    .with((host) => checkMovie(host, path, { decode: true, onProgress: progress.show, signal }))
    .finally(() => progress.end());
  if (status.problem) throw notHap(path, status.problem.message);
  if (json) printJson(verifyReport(path, status));
  else print(...verifyText(path, status));
  if (status.state === 'running') return exitCodes.aborted;
  return status.damagedFrames === 0 ? exitCodes.pass : exitCodes.fail;
}

function notHap(path: string, message: string): WhitelineError {
  const remedy = `A movie of another codec is decoded by ffmpeg -v error -i ${JSON.stringify(path)} -f null -`;
  return new WhitelineError({ code: 'BAD_INPUT', message, field: 'file', value: path, remedy });
}

function ffmpegReport(movie: FfmpegMovie): Record<string, unknown> {
  const { path, codec, format, durationSeconds } = movie;
  const { width, height, rate } = format;
  const { numerator: rateNumerator, denominator: rateDenominator } = rate;
  const played = { codec, width, height, rateNumerator, rateDenominator, durationSeconds };
  return { path, kind: 'ffmpeg', ...played, remarks: playTexts(movie) };
}

function ffmpegLines(movie: FfmpegMovie): [name: string, text: string][] {
  const { codec, format, durationSeconds } = movie;
  return [
    ['codec', `${codec}: ${codec === 'hap' ? 'Hap outside of a .mov' : 'not Hap'}, so ffmpeg plays it`],
    ['format', formatText(format)],
    ['duration', durationSeconds === null ? 'not known' : `${durationSeconds.toFixed(2)} s`],
    ['played', playTexts(movie).join('\n') || 'as it is'],
  ];
}

function hapLines(facts: MovieFacts): [name: string, text: string][] {
  const rate = rateText({ numerator: facts.rateNumerator, denominator: facts.rateDenominator });
  return [
    ['variant', `${facts.variant} (${facts.fourCC})`],
    ['size', `${facts.width}×${facts.height}${hapShownText(facts)}`],
    ['rate', facts.constantRate ? `${rate} frames/s` : `${rate} frames/s on average, not constant`],
    ['duration', `${facts.frames} frames, ${facts.durationSeconds.toFixed(2)} s`],
    ['chunks', chunksText(facts)],
    [
      'bitrate',
      `${facts.bitrateMbps.toFixed(1)} Mb/s, ${(facts.bitrateMbps / 8).toFixed(1)} MB/s from the disk`,
    ],
    ['largest', sizeText(facts.largestFrameBytes)],
    ['file', sizeText(facts.fileBytes)],
    ['problems', facts.problems.join('\n') || 'none found; content verify decodes every frame'],
  ];
}

function hapShownText({ isTurned, pixelAspect }: MovieFacts): string {
  const pixels = pixelAspect === 1 ? '' : `, pixels of ${pixelAspect.toFixed(2)}:1`;
  return `${pixels}${isTurned ? ', turned by its display matrix' : ''}`;
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function chunksText({ chunksMin, chunksMax, compressor }: MovieFacts): string {
  if (chunksMax === 0) return 'not known: no frame that was inspected is whole';
  const chunks = chunksMin === chunksMax ? `${chunksMin}` : `${chunksMin} to ${chunksMax}`;
  return `${chunks}, compressor ${compressor}`;
}

function table(head: string, lines: [name: string, text: string][]): string[] {
  const indented = lines.flatMap(([name, text]) =>
    linesOf(text).map((line, index) => `  ${(index === 0 ? name : '').padEnd(9)} ${line}`),
  );
  return [head, ...indented];
}

function verifyReport(path: string, status: MovieCheckStatus): Record<string, unknown> {
  const { facts, framesDecoded, damagedFrames, damage } = status;
  const complete = status.state === 'done';
  return {
    path,
    complete,
    clean: complete && damagedFrames === 0,
    framesDecoded,
    damagedFrames,
    damage,
    facts,
  };
}

function verifyText(path: string, status: MovieCheckStatus): string[] {
  const { facts, framesDecoded, damagedFrames, damage } = status;
  const lines = damage.map(({ message }) => message);
  if (damage.length < damagedFrames) lines.push(`… and ${damagedFrames - damage.length} more`);
  const looked =
    status.state === 'running'
      ? `stopped after ${framesDecoded} of ${facts?.frames ?? '?'}`
      : `${framesDecoded}`;
  const damaged = damagedFrames === 0 ? 'none is damaged' : `${damagedFrames} damaged`;
  return [...lines, `${path}: ${looked} frames, ${damaged}`];
}
