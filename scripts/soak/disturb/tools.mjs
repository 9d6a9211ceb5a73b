import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { realTimeProblem } from './actions.mjs';

/** What this machine lacks, in words, so that nothing is left out in silence, and what the experiments need besides. */

const versionFlags = { ffmpeg: '-version', ping: '-V' };

/** Experiments that can run here, and why others cannot. */
export function runnable(experiments) {
  const problems = new Map(
    [...new Set(experiments.flatMap(({ tools }) => tools))].map((tool) => [tool, problemOf(tool)]),
  );
  const lackedBy = ({ tools }) => tools.map((tool) => problems.get(tool)).filter(Boolean);
  return {
    known: experiments.filter((experiment) => lackedBy(experiment).length === 0),
    skipped: experiments
      .filter((experiment) => lackedBy(experiment).length > 0)
      .map((experiment) => `${experiment.id} is skipped: ${lackedBy(experiment).join(', ')}`),
  };
}

function problemOf(tool) {
  const { error } = spawnSync(tool, [versionFlags[tool] ?? '--version'], { stdio: 'ignore' });
  if (!error) return null;
  return error.code === 'ENOENT'
    ? `${tool} is not installed`
    : `${tool} cannot be started (${error.message})`;
}

/** Folders and a movie that the runs share. */
export function prepare(root, needsMovie) {
  const storageFolder = path.join(root, 'storage');
  mkdirSync(storageFolder, { recursive: true });
  const movie = path.join(root, 'movie.mov');
  if (needsMovie) makeMovie(movie);
  const problem = realTimeProblem();
  return { movie, storageFolder, realTime: problem === null, realTimeProblem: problem };
}

function makeMovie(file) {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30:duration=4'];
  const { status, stderr } = spawnSync('ffmpeg', ['-y', '-v', 'error', ...picture, '-c:v', 'mjpeg', file], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`ffmpeg made no movie: ${stderr}`);
}
