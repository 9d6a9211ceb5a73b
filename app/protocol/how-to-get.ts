import { keepClock } from '../facts/machine-words';

/** Where programs of others come from, by system: the one table for all advice. What only Linux can use names Debian's package itself. */
const sources = {
  ffmpeg: {
    linux: 'Debian: apt-get install ffmpeg',
    win32: 'winget install Gyan.FFmpeg, then open a new terminal',
  },
  iperf3: { linux: 'Debian: apt-get install iperf3', win32: 'https://iperf.fr; put its folder into PATH' },
  'real-time priority': {
    linux: 'a line like “@video - rtprio 1” in /etc/security/limits.conf',
    win32: 'start Windows’ service Multimedia Class Scheduler: net start MMCSS',
  },
  'a clock that is kept': {
    linux: `Debian: ${keepClock}`,
    win32: 'Settings, Time & language, Date & time: Set time automatically',
  },
} as const;

/** Other systems (untested) read what Debian calls it. */
export function howToGet(what: keyof typeof sources, platform: NodeJS.Platform = process.platform): string {
  const { linux, win32 } = sources[what];
  return platform === 'win32' ? win32 : linux;
}
