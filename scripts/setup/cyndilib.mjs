import { rmSync } from 'node:fs';
import path from 'node:path';
import { outputOf } from './command.mjs';
import { cyndilibWheel } from './ndi.mjs';
import { isLinuxX64, rootFolder, runtimeFolder } from './platform.mjs';
import { unpackWheel } from './pypi.mjs';
import { note, step } from './report.mjs';
import { unlessDone } from './stamp.mjs';

// The Python binding of NDI, and what it imports: the test kit watches a sender that others made.
const wheels = [
  cyndilibWheel,
  {
    requirement: 'numpy==2.4.6',
    platform: 'manylinux_2_28_x86_64',
    python: '3.11',
    sha256: '89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93',
  },
  {
    requirement: 'pugixml-cython==0.1.2',
    platform: 'manylinux_2_28_x86_64',
    python: '3.11',
    sha256: '7bf5874c92eeed6248409c3d6b609278ba2e24b7f202185254c32be57b82c34b',
  },
];
const folder = path.join(runtimeFolder, 'cyndilib');

/**
 * Puts them into a folder of the checkout for PYTHONPATH, and not into the system's Python: Debian's refuses what pip installs, and
 * its other programs need none of it. They are built for one Python, that of Debian 12; another does without, and one line says so.
 */
export async function ensureCyndilib() {
  const [{ python }] = wheels;
  const found = outputOf('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
  if (!isLinuxX64 || found !== python) {
    const own = isLinuxX64
      ? `python3 is ${found ?? 'absent'}`
      : `this is ${process.platform}-${process.arch}`;
    return note('cyndilib', `not fetched: its packages are for Python ${python} on linux-x64, and ${own}`);
  }
  const hash = wheels.map(({ sha256 }) => sha256).join(' ');
  const outputs = [path.relative(rootFolder, folder)];
  // Python's own, which come as modules are imported.
  const isOutput = (name) => path.basename(name) !== '__pycache__';
  await unlessDone({ name: 'cyndilib', hash, outputs, isOutput }, () =>
    step('cyndilib', `fetching ${cyndilibWheel.requirement} and what it needs`, fetchWheels),
  );
}

async function fetchWheels(onProgress) {
  rmSync(folder, { recursive: true, force: true });
  for (const wheel of wheels) await unpackWheel(wheel, folder, onProgress);
  // NDI for other processors; the library that it loads lies in cyndilib.libs.
  rmSync(path.join(folder, 'cyndilib/wrapper/bin'), { recursive: true });
}
