import type { Metric } from '../../app/facts/metrics/registry';
import type { Row, Subject } from '../../app/facts/row';
import { figureOf } from '../../app/facts/row-figures';
import { notMeasuredSign } from '../format';
import { texts } from '../texts';
import { SubjectTable } from './subject-table';

interface Props {
  rows: readonly Row[];
  columns: readonly Metric[];
  showsRow?: boolean;
}

/**
 * The same figures for each stream of each row, with the method by which it was followed, and the machine that received it where several
 * do.
 */
export function StreamTable(props: Props) {
  const receivers = new Set(props.rows.flatMap(({ subjects }) => subjects.map(receiverOf)));
  return (
    <SubjectTable
      {...props}
      heading={texts.losses.stream}
      words={receivers.size > 1 ? [method, { heading: texts.times.receivedOn, of: receiverOf }] : [method]}
      testId="stream-table"
    />
  );
}

const method = { heading: texts.times.method, of: methodOf };

function receiverOf({ hosts }: Subject): string {
  return hosts.receiver ?? notMeasuredSign;
}

/** Runs of an older version do not report it. */
function methodOf(stream: Subject): string {
  const method = figureOf(stream, 'method');
  if (method === 'frame-code' || method === 'timestamps') return texts.methods[method];
  return typeof method === 'string' ? method : notMeasuredSign;
}
