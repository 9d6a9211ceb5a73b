import type { Certificate } from '../protocol/certificate';

/** A certificate for people. */
export function certificateText(certificate: Certificate): string[] {
  const { verbs, checks, machine } = certificate;
  const unequal = checks.filter(({ equal }) => !equal);
  const lost = machine.missedFrames.length + machine.droppedFrames.length;
  return [
    `Whiteline ${certificate.whiteline} on ${certificate.host}, ${certificate.startedAt}`,
    certificate.ndi,
    `${certificate.format}, frames ${certificate.firstFrame} to ${certificate.lastFrame}, seed ${certificate.seed}`,
    '',
    columns('verb', 'put in', 'expected', 'counted', 'machine', ''),
    ...verbs.map(({ verb, faults, expected, counted, machine: own, figure, equal }) =>
      columns(verb, faults, expected, counted, own, `${equal ? 'equal' : 'NOT EQUAL'}  ${figure}`),
    ),
    '',
    `against the receiver’s own log: ${checks.length - unequal.length} of ${checks.length} counts equal`,
    ...unequal.map(({ name, expected, counted }) => `  NOT EQUAL  ${name}: ${counted}, expected ${expected}`),
    `lost by this machine itself: ${lost} frames (${machine.missedFrames.length} missed, ${machine.droppedFrames.length} dropped)`,
    `CPU ${percent(machine.cpuMeanPercent)} mean, ${percent(machine.cpuMaxPercent)} highest; taken away by a hypervisor ${percent(machine.cpuStealMaxPercent)}`,
    '',
    `${certificate.result}: ${certificate.reason}`,
    `Repeat with: ${certificate.command}`,
  ];
}

function columns(verb: string, ...cells: (string | number)[]): string {
  const last = cells.pop();
  return `${verb.padEnd(14)}${cells.map((cell) => String(cell).padStart(9)).join('')}  ${last}`.trimEnd();
}

function percent(value: number | null): string {
  return value === null ? 'not measured' : `${value.toFixed(0)} %`;
}
