import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { placeFields, streamFields } from '../../protocol/stream-parameters';
import { chartOf, chartsOfEach, type ExperimentDeclaration } from '../declaration';
import { streamRowSeconds, streamVerdictWords } from '../stream-table';

export const receiverFanOutParameters = z.strictObject({
  ...streamFields,
  ...placeFields,
  maxReceivers: z
    .int()
    .min(2)
    .max(32)
    .default(4)
    .describe('Most receivers on one sender, and most senders with one receiver each')
    .meta({ title: 'Receivers at most' }),
});

export type ReceiverFanOutParameters = z.infer<typeof receiverFanOutParameters>;

export const receiverFanOutDeclaration: ExperimentDeclaration<typeof receiverFanOutParameters> = {
  id: 'receiver-fan-out',
  order: 20,
  title: 'Receiver fan-out',
  purpose:
    'What does one more receiver of the same sender cost, in CPU and network on both sides, compared with one more sender that has its ' +
    'own receiver? Row 0 is the source alone. Then receivers are added to one sender, row by row, and after that senders with ' +
    'one receiver each. Every frame of every receiver is followed.',
  study: 'NDI performance testing, Derivative / Cocolabs, October 2019: more receivers',
  parameters: receiverFanOutParameters,
  basic: ['source', 'format', 'maxReceivers', 'holdSeconds', 'sendOn', 'receiveOn'],
  columns: [
    ...columnsOf('step', 'fanOut.arm', 'fanOut.senders', 'fanOut.receivers'),
    ...columnsOf('measure', 'fanOut.sendingCpuPercent', 'fanOut.receivingCpuPercent', 'bitrateMbps'),
    ...columnsOf(
      'measure',
      ...['fanOut.addedSendingCpuPercent', 'fanOut.addedReceivingCpuPercent', 'fanOut.addedMbps'],
    ),
    ...columnsOf('count', 'framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed'),
    ...columnsOf('measure', 'latencyMs.p99', 'longestGapMs'),
  ],
  charts: [
    chartOf('CPU', { Sending: 'fanOut.sendingCpuPercent', Receiving: 'fanOut.receivingCpuPercent' }),
    chartOf('CPU per added', {
      ...{ Sending: 'fanOut.addedSendingCpuPercent', Receiving: 'fanOut.addedReceivingCpuPercent' },
    }),
    ...chartsOfEach('bitrateMbps', 'fanOut.addedMbps', 'latencyMs.p99', 'longestGapMs'),
  ],
  verdictWords: streamVerdictWords,
  expectedSeconds: (parameters) => (1 + 2 * parameters.maxReceivers) * streamRowSeconds(parameters),
};
