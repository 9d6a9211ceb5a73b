import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { safeParse } from '../../protocol/safe-parse';

/** Which file was played, for a stranger who has one of the same name. */
export interface ClipFingerprint {
  bytes: number;
  modifiedAt: string;
  /** Of the whole file, as sha256sum prints it; null for a large one. */
  sha256: string | null;
  /** Of the first and the last MiB, one after the other: (head -c 1048576 F; tail -c 1048576 F) | sha256sum. */
  sha256OfEnds: string;
  notKnown: Record<string, string>;
}

const mib = 1024 * 1024;
/**
 * Read whole in a moment. A larger clip is not: the run would wait for it, and find it in memory, where the disk should
 * be measured.
 */
const mostBytesReadWhole = 64 * mib;

const played = z.object({ path: z.string() });

/**
 * Of the movies that an experiment's `source` and `sources` name, by their paths; nothing if none is one. A movie that
 * went away since it was inspected has nothing to report, and the run itself will say so.
 */
export async function fingerprintClips(
  environment: Record<string, unknown>,
): Promise<{ clips?: Record<string, ClipFingerprint> }> {
  const { source, sources } = environment;
  const paths = [source, ...(Array.isArray(sources) ? (sources as unknown[]) : [])].flatMap((candidate) => {
    const parsed = safeParse(played, candidate);
    return parsed.success ? [parsed.data.path] : [];
  });
  const clips: Record<string, ClipFingerprint> = {};
  for (const path of new Set(paths)) {
    const clip = await fingerprintClip(path).catch(() => null);
    if (clip) clips[path] = clip;
  }
  return Object.keys(clips).length > 0 ? { clips } : {};
}

/** @throws where the file cannot be read */
export async function fingerprintClip(path: string): Promise<ClipFingerprint> {
  const { size, mtime } = await stat(path);
  const isSmall = size <= mostBytesReadWhole;
  const ends = [
    { start: 0, end: Math.min(size, mib) - 1 },
    { start: Math.max(0, size - mib), end: size - 1 },
  ];
  return {
    bytes: size,
    modifiedAt: mtime.toISOString(),
    sha256: isSmall ? await sha256Of(path, [{ start: 0, end: size - 1 }]) : null,
    sha256OfEnds: await sha256Of(path, ends),
    notKnown: isSmall
      ? {}
      : { sha256: `reading ${Math.round(size / 1e6)} MB would delay the run and fill the memory with it` },
  };
}

async function sha256Of(path: string, ranges: { start: number; end: number }[]): Promise<string> {
  const hash = createHash('sha256');
  for (const range of ranges) {
    if (range.end < range.start) continue;
    for await (const bytes of createReadStream(path, range)) hash.update(bytes as Buffer);
  }
  return hash.digest('hex');
}
