import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rootFolder, runtimeFolder } from './platform.mjs';
import { unpackWheel } from './pypi.mjs';
import { SetupError, step } from './report.mjs';
import { unlessDone } from './stamp.mjs';

// The MIT-licensed headers of the NDI SDK, as they stand in the Python binding of the same SDK.
export const cyndilibWheel = {
  requirement: 'cyndilib==0.1.3',
  platform: 'manylinux_2_28_x86_64',
  python: '3.11',
  sha256: '63d740b2b1b2d09209fcccfa0971d00fbb074435d33657943105ffcbc7b86ea9',
};
const headerName = 'Processing.NDI.Lib.h';
const fetchedIncludeFolder = path.join(runtimeFolder, 'ndi/include');

/** The folder of the NDI headers: an installed SDK's where NDI_SDK_DIR names one, else the fetched one's. */
export async function ensureNdiHeaders() {
  if (process.env.NDI_SDK_DIR) return installedIncludeFolder(process.env.NDI_SDK_DIR);
  const outputs = [path.relative(rootFolder, fetchedIncludeFolder)];
  await unlessDone({ name: 'ndi', hash: cyndilibWheel.sha256, outputs }, () =>
    step('ndi', `fetching the NDI headers (from ${cyndilibWheel.requirement})`, fetchHeaders),
  );
  return fetchedIncludeFolder;
}

function installedIncludeFolder(sdkFolder) {
  const folder = ['include', 'Include']
    .map((name) => path.join(sdkFolder, name))
    .find((candidate) => existsSync(path.join(candidate, headerName)));
  if (folder) return folder;
  throw new SetupError(
    `Expected the folder of an NDI SDK for NDI_SDK_DIR but received ${sdkFolder}: it has no include/${headerName}.`,
    'correct NDI_SDK_DIR, or unset it to have the headers fetched',
  );
}

async function fetchHeaders(onProgress) {
  const scratchFolder = path.join(runtimeFolder, 'ndi/wheel');
  rmSync(path.dirname(scratchFolder), { recursive: true, force: true });
  await unpackWheel(cyndilibWheel, scratchFolder, onProgress);
  cpSync(path.join(scratchFolder, 'cyndilib/wrapper/include'), fetchedIncludeFolder, { recursive: true });
  rmSync(scratchFolder, { recursive: true, force: true });
}
