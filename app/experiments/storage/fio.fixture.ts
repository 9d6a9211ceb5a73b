import type { ToolCall } from '../../engine/tools/run-tool';
import type { ToolAnswer } from '../../testing/scripted-tools';

const startSeconds = 0.125;
/** Of laying out a file. */
const layOutMBps = 400;

/** What fio 3.33 prints that is called so, and when it ends. */
export function fioAnswer({ args }: ToolCall, megabytesPerSecond: number, latencyMs = 2): ToolAnswer {
  const options = Object.fromEntries(
    args.flatMap((argument) => {
      const [, name, value] = /^--([a-z_]+)=(.*)$/.exec(argument) ?? [];
      return name === undefined || value === undefined || name === 'output-format' ? [] : [[name, value]];
    }),
  );
  const blockBytes = 1024 * Number.parseInt(options.bs ?? '', 10);
  const sizeBytes = 1024 * 1024 * Number.parseInt(options.size ?? '', 10);
  const isPass = options.runtime !== undefined;
  const rate = 1e6 * (isPass ? megabytesPerSecond : layOutMBps);
  const seconds = isPass ? Number.parseInt(options.runtime ?? '', 10) / 1000 : sizeBytes / rate;
  const side = {
    ...{ io_bytes: Math.round(rate * seconds), bw_bytes: Math.round(rate), iops: rate / blockBytes },
    runtime: Math.round(1000 * seconds),
    clat_ns: { percentile: percentilesOf(latencyMs) },
  };
  const operation = options.rw?.endsWith('read') ? 'read' : 'write';
  const job = { jobname: options.name, error: 0, 'job options': options, [operation]: side };
  const report = { 'fio version': 'fio-3.33', jobs: [job] };
  return { seconds: startSeconds + seconds, stdout: `${JSON.stringify(report, null, 2)}\n` };
}

function percentilesOf(p99Ms: number): Record<string, number> {
  return { '50.000000': 5e5 * p99Ms, '99.000000': 1e6 * p99Ms, '99.900000': 1.5e6 * p99Ms };
}

/** What fio prints where the disk is full. */
export function fullDiskAnswer({ args }: ToolCall): ToolAnswer {
  const said = 'fio: pid=7, err=28/file:filesetup.c:240, func=write, error=No space left on device\n';
  const name = /^--name=(.*)$/.exec(args[0] ?? '')?.[1];
  const report = { 'fio version': 'fio-3.33', jobs: [{ jobname: name, error: 28 }] };
  return { seconds: startSeconds, exitCode: 1, stdout: `${said}${JSON.stringify(report, null, 2)}\n` };
}
