import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/** What native/bench/ndi_witness.cc prints. */
export interface Witnessed {
  frames: number;
  lost: number;
  witnessPercent: number;
  falseAlarms: number;
  mustFind: number;
  found: number;
  otherKind: number;
}

export const witnessProgram = resolve('native/build-test-plain/ndi_witness');
const bundled = resolve('node_modules/@grandi/linux-x64');
const library = process.env.WHITELINE_NDI_PATH || bundled;

export const battery = [
  ...['white-line', 'flares', 'noise', 'particles', 'zone-plate', 'text-crawl'],
  ...['gradients', 'shader', 'cuts', 'black', 'live-action-like'],
];

/** Sends frames of some content over real NDI, each fifth spoilt if there is a fault, and judges what arrives. */
export async function witnessed(
  content: string,
  size: string,
  frames: number,
  fault?: string,
): Promise<Witnessed> {
  const options = ['--content', content, '--size', size, '--frames', String(frames)];
  if (fault) options.push('--fault', fault);
  const { stdout } = await promisify(execFile)(witnessProgram, ['--library', library, ...options]);
  return JSON.parse(stdout) as Witnessed;
}
