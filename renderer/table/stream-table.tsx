import type { Metric } from '../../app/facts/metrics/registry';
import type { Row, Subject } from '../../app/facts/row';
import { figureOf } from '../../app/facts/row-figures';
import { notMeasuredSign } from '../format';
import { texts } from '../texts';
import { machinesOf, type StreamEnd } from './machines';
import { SubjectTable } from './subject-table';

interface Props {
  rows: readonly Row[];
  columns: readonly Metric[];
  showsRow?: boolean;
}

/**
 * The same figures for each stream of each row, with the method by which it was followed, and the machines that sent and received it, as
 * far as they are not all the console's own.
 */
export function StreamTable(props: Props) {
  const ends = [sentFrom, receivedOn].filter(({ role }) => machinesOf(props.rows, role).length > 0);
  return (
    <SubjectTable {...props} heading={texts.losses.stream} words={[method, ...ends]} testId="stream-table" />
  );
}

const method = { heading: texts.times.method, of: methodOf };

const sentFrom = { role: 'sender' as const, heading: texts.times.sentFrom, of: hostOf('sender') };
const receivedOn = { role: 'receiver' as const, heading: texts.times.receivedOn, of: hostOf('receiver') };

function hostOf(role: StreamEnd): (stream: Subject) => string {
  return ({ hosts }) => hosts[role] ?? notMeasuredSign;
}

/** Runs of an older version do not report it. */
function methodOf(stream: Subject): string {
  const method = figureOf(stream, 'method');
  if (method === 'frame-code' || method === 'timestamps') return texts.methods[method];
  return typeof method === 'string' ? method : notMeasuredSign;
}
