import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from './command.mjs';
import { compilerCacheEnvironment } from './compiler-cache.mjs';
import { rootFolder } from './platform.mjs';
import { note, SetupError } from './report.mjs';

const recordName = 'made-by.txt';
const buildFolderName = /^build(-|$)/;
const compilerError = /\berror:/;
// Not a fatal one: a header is missing, or the disk is full.
const errorInSource = /\.(cc|h):\d+(:\d+)?: error:/;

/** The compiler does not accept a source: no other folder would help. */
class SourceError extends SetupError {}

/**
 * Configures with CMake, and builds, in a folder that is kept between runs for as long as it is the one that was made. CMake's
 * cache holds the paths of the checkout and of the compiler, and every option that it was ever given; Ninja compares the times
 * of files, which a copy may lose. So a folder that was moved or copied, or made by another compiler or with other options, is
 * made again; and so is one in which a step fails for another reason than our sources, or whose sources came with old times.
 * @param {{ sourceFolder: string, folder: string, isKept?: boolean, madeBy: string[], configure: string[], build?: string[],
 *   onLine?: (line: string) => void }} work
 *   folder: in sourceFolder; isKept: false makes it anew in any case; madeBy: whatever else the folder depends on; configure, build: commands
 */
export async function makeInFolder(work) {
  const { sourceFolder, folder, isKept = true, madeBy, configure, build, onLine = () => {} } = work;
  const name = path.relative(rootFolder, folder);
  const steps = async () => {
    await runStep(configure, `${name} could not be configured`, onLine);
    writeFileSync(path.join(folder, recordName), identityOf(folder, madeBy));
    if (build) await runStep(build, `${name} does not build`, onLine);
  };
  if (isKept && isAsMade(folder, madeBy) && !isOutdated(folder, sourceFolder)) {
    try {
      return await steps();
    } catch (error) {
      if (!(error instanceof SetupError) || error instanceof SourceError) throw error;
      note('native', `${error.message.split('\n')[0]} The folder is made anew.`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  await steps();
}

/** Whether the folder was last configured here, and in the same way. */
export function isAsMade(folder, madeBy) {
  try {
    return readFileSync(path.join(folder, recordName), 'utf8') === identityOf(folder, madeBy);
  } catch {
    return false;
  }
}

/**
 * Whether Ninja would miss a change: an archive that was unpacked over the checkout brings sources that are older by their times
 * than what was built of those before them. When a file was last put in place, no archive can set.
 */
function isOutdated(folder, sourceFolder) {
  const { mtimeMs: madeMs } = statSync(path.join(folder, recordName));
  const cameSince = (file) => {
    const { mtimeMs, ctimeMs } = lstatSync(file);
    return ctimeMs > madeMs && mtimeMs < madeMs;
  };
  return readdirSync(sourceFolder)
    .filter((name) => !buildFolderName.test(name))
    .some((name) => filesIn(path.join(sourceFolder, name)).some(cameSince));
}

function filesIn(place) {
  if (!lstatSync(place).isDirectory()) return [place];
  return readdirSync(place).flatMap((name) => filesIn(path.join(place, name)));
}

/** A move changes the path, a copy to the same path the folder's number in the file system. */
function identityOf(folder, madeBy) {
  const { ino } = statSync(folder, { bigint: true });
  return [folder, ino, process.platform, process.arch, ...madeBy].join('\n');
}

async function runStep([command, ...commandArguments], failure, onLine) {
  let firstError = null;
  try {
    await mustRun(command, commandArguments, {
      failure,
      remedy: 'the folder was made anew, so the lines above name what is missing on this machine, or wrong',
      env: compilerCacheEnvironment(),
      onLine: (line) => {
        if (compilerError.test(line)) firstError ??= line;
        onLine(line);
      },
    });
  } catch (error) {
    // Others compile at the same time, so the first error may stand far above the last lines.
    if (firstError === null || !(error instanceof SetupError)) throw error;
    const message = `${firstError}\n${error.message}`;
    if (!errorInSource.test(firstError)) throw new SetupError(message, error.remedy);
    throw new SourceError(
      message,
      'correct the source that the compiler names; `git status` and `git diff` show what was changed in it',
    );
  }
}
