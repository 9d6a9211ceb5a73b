import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run, succeeds } from '../setup/command.mjs';
import { isRoot } from '../setup/platform.mjs';
import { note, seconds } from '../setup/report.mjs';
import { counted, oneFailed } from './counts.mjs';

// A view of this system in which everything written goes to memory, and which is gone with the last process in it.
const inOverlay = `
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/system"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/system"
`;
const installAndRemove = `
mount --rbind /proc "$1/system/proc"
mount --rbind /dev "$1/system/dev"
cp "$2" "$1/system/whiteline.deb"
chroot "$1/system" sh -euc '
  dpkg --install /whiteline.deb
  dpkg --verify whiteline
  test -x /usr/bin/whiteline-console
  desktop-file-validate /usr/share/applications/whiteline-console.desktop
  whiteline --help > /dev/null
  dpkg --remove whiteline
  for left in /opt/Whiteline /usr/bin/whiteline /usr/bin/whiteline-console; do test ! -e $left; done
'
`;

/** Installs the .deb with dpkg, which checks what it depends on, calls its command, and removes it: one test. */
export async function testInstalledDeb(deb) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whiteline-installed-'));
  const overlay = path.join(folder, 'overlay');
  const inNamespace = (script) => ['--mount', 'sh', '-c', script, 'sh', overlay, deb];
  mkdirSync(overlay);
  try {
    if (!isRoot || !succeeds('unshare', inNamespace(inOverlay))) {
      note('package', 'dpkg --install was not tried: that needs root, and a kernel that mounts an overlay');
      return counted(0, []);
    }
    const startedMs = Date.now();
    const { status, lastLines } = await run('unshare', inNamespace(inOverlay + installAndRemove));
    note(
      'package',
      `dpkg --install, whiteline --help, dpkg --remove: ended with ${status} after ${seconds(startedMs)}`,
    );
    if (status === 0) return counted(1, []);
    return oneFailed(`dpkg --install ended with ${status}\n${lastLines.join('\n')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
