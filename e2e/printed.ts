import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { inflateSync } from 'node:zlib';
import { appFolder } from './app';

/** Prints a page as the command line does; its exit code and signal. */
export async function print(
  html: string,
  pdf: string,
  folder: string,
): Promise<{ exit: unknown[]; errors: string }> {
  const printing: ChildProcessByStdio<null, null, Readable> = spawn(
    process.env.WHITELINE_ELECTRON ?? '',
    [
      ...(process.env.WHITELINE_NO_SANDBOX ? ['--no-sandbox'] : []),
      ...[`--user-data-dir=${join(folder, 'print')}`, '--disable-gpu'],
      ...[appFolder, '--print-page', html, pdf],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  printing.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return { exit: await once(printing, 'close'), errors };
}

export function pageCount(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Of the first page, in points. */
export function paperSizePt(pdf: Buffer): number[] {
  const [, box = ''] = /\/MediaBox\s*\[([^\]]+)\]/.exec(pdf.toString('latin1')) ?? [];
  return box.trim().split(/\s+/).map(Number).slice(2).map(Math.round);
}

/** How wide its pictures are, such as charts, in their own pixels. */
export function pictureWidths(pdf: Buffer): number[] {
  const pictures = [...pdf.toString('latin1').matchAll(/<<[^<>]*\/Subtype\s*\/Image[^<>]*>>/g)];
  return pictures.map(([text]) => Number(/\/Width (\d+)/.exec(text)?.[1]));
}

/** How large the letters of a PDF are on its paper, in points. */
export function textSizesPt(pdf: Buffer): Set<number> {
  const text = pdf.toString('latin1');
  const sizes = new Set<number>();
  for (const { index, 0: start } of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const from = index + start.length;
    const content = inflated(pdf.subarray(from, text.indexOf('endstream', from)));
    let scale = 1;
    let fontSize = 0;
    const outer: number[] = [];
    const steps =
      /(?<=^|\s)(?:(q)|(Q)|(?:[-\d.]+ ){3}(-?[\d.]+)(?: [-\d.]+){2} (cm|Tm)|\/F\d+ ([\d.]+) Tf)(?=\s)/g;
    for (const [, push, pop, height, matrix, size] of content.matchAll(steps)) {
      if (push) outer.push(scale);
      else if (pop) scale = outer.pop() ?? 1;
      else if (size) fontSize = Number(size);
      else if (matrix === 'cm') scale *= Math.abs(Number(height));
      else sizes.add(Math.round(fontSize * Math.abs(Number(height)) * scale * 10) / 10);
    }
  }
  return sizes;
}

/** Of each page: how large the letters of its last line are, in points; its number at the foot is no line. */
export function lastLinesPt(pdf: Buffer): number[] {
  const text = pdf.toString('latin1');
  const last: number[] = [];
  for (const { index, 0: start } of text.matchAll(/(?<!end)stream\r?\n/g)) {
    const from = index + start.length;
    const content = inflated(pdf.subarray(from, text.indexOf('endstream', from)));
    const lines = linesOf(content).sort((one, other) => one.y - other.y);
    const [lowest, above] = lines.filter(({ y }, at) => at === 0 || y > (lines[0]?.y ?? 0) + 1);
    if (lowest && above) last.push(above.sizePt);
  }
  return last;
}

/** Each text with its height above the foot of the page, in points. */
function linesOf(content: string): { y: number; sizePt: number }[] {
  const number = '(-?[\\d.]+)';
  const steps = new RegExp(
    `(?<=^|\\s)(?:(q)|(Q)|(?:-?[\\d.]+ ){3}${number} -?[\\d.]+ ${number} (cm|Tm)|/F\\d+ ([\\d.]+) Tf)(?=\\s)`,
    'g',
  );
  let [scale, shift, fontSize] = [1, 0, 0];
  const outer: [number, number][] = [];
  const lines: { y: number; sizePt: number }[] = [];
  for (const [, push, pop, height = '1', offset = '0', matrix, size] of content.matchAll(steps)) {
    if (push) outer.push([scale, shift]);
    else if (pop) [scale, shift] = outer.pop() ?? [1, 0];
    else if (size) fontSize = Number(size);
    else if (matrix === 'cm') [scale, shift] = [scale * Number(height), shift + scale * Number(offset)];
    else {
      const sizePt = Math.round(fontSize * Math.abs(Number(height) * scale) * 10) / 10;
      lines.push({ y: shift + scale * Number(offset), sizePt });
    }
  }
  return lines;
}

/** Empty for what is no compressed text, such as a font. */
function inflated(stream: Buffer): string {
  try {
    const content = inflateSync(stream).toString('latin1');
    return / Tf\s/.test(content) ? content : '';
  } catch {
    return '';
  }
}
