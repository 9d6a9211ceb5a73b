import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { rootFolder } from '../setup/platform.mjs';
import { note } from '../setup/report.mjs';
import { figure } from './figures.mjs';
import { makeClip } from './make-clip.mjs';
import { runNdiQuality } from './ndi-quality.mjs';

export const area = 'content';

const peer = 'test-content/manifest.yaml';
/** Shorter than the clip that the manifest describes, to be done in minutes; short loops move a little faster. */
const hapSeconds = 0.5;

/** Measures the content battery again, and compares with the manifest: the ratio is measured now / written there. */
export async function run({ buildFolder, only }) {
  const manifest = parse(readFileSync(path.join(rootFolder, 'test-content/manifest.yaml'), 'utf8'));
  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-bench-'));
  try {
    const clips = manifest.clips.filter(({ name }) => only === undefined || only.includes(name));
    return clips.flatMap((clip) => [
      ...hapFigures(clip, manifest.measured.hapQ, folder),
      ...ndiFigures(clip, manifest.measured.ndi, folder, path.join(buildFolder, 'ndi_quality')),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hapFigures({ name, hapQ }, { size, rate, chunks }, folder) {
  const id = `content.hap-q-${name}`;
  const unit = 'Mb/s';
  try {
    const movie = makeClip({ clip: name, variant: 'hap_q', chunks, size, rate, seconds: hapSeconds, folder });
    const value = (statSync(movie).size * 8) / hapSeconds / 1e6;
    rmSync(movie);
    return [compared(id, unit, value, hapQ.bitrateMbps)];
  } catch (error) {
    return [figure({ id, unit, notMeasured: error.message })];
  }
}

function ndiFigures({ name, ndi }, { size, rate, seconds, chunks }, folder, executable) {
  const idOf = (what) => `content.ndi-${what}-${name}`;
  try {
    const movie = makeClip({ clip: name, variant: 'hap_q', chunks, size, rate, seconds, folder });
    const result = runNdiQuality(executable, { movie, frames: Math.round(rate * seconds) });
    rmSync(movie);
    note('bench', `${name}: ${JSON.stringify(result)}`);
    const lost = result.framesSent - result.framesReceived;
    return [
      compared(idOf('bitrate'), 'Mb/s', result.bitrateMbps, ndi.bitrateMbps),
      decibels(idOf('psnr-mean'), result.meanPsnrDb, ndi.meanPsnrDb),
      decibels(idOf('psnr-worst'), result.worstPsnrDb, ndi.worstPsnrDb),
      figure({ id: idOf('frames-lost'), unit: 'frames', value: lost, atMost: 0 }),
      // More than none: the machine was too slow, and the bitrate is not to be trusted.
      figure({ id: idOf('late-slots'), unit: 'frames', value: result.lateSlots, atMost: 0 }),
    ];
  } catch (error) {
    return [figure({ id: idOf('psnr-worst'), unit: 'dB', notMeasured: error.message })];
  }
}

function decibels(id, value, peerValue) {
  if (value === 'exact')
    return figure({ id, unit: 'dB', notMeasured: 'no byte differs, which has no ratio' });
  return compared(id, 'dB', value, peerValue === 'exact' ? undefined : peerValue);
}

function compared(id, unit, value, peerValue) {
  if (peerValue === undefined) return figure({ id, unit, value });
  return figure({ id, unit, value, peer, peerValue, ratio: value / peerValue });
}
