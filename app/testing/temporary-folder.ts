import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';

/** A folder of this test file alone, gone when it is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Paths in a folder for what a test's commands write; others in each try of it, since no run is ever written over. */
export function outputPaths(folder: string): (name: string) => string {
  let triesBefore = 0;
  beforeEach(({ task }) => {
    triesBefore = task.result?.retryCount ?? 0;
  });
  return (name) => join(folder, triesBefore === 0 ? name : `${name}-${triesBefore + 1}`);
}
