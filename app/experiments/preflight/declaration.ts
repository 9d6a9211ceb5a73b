import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { hostOf } from '../../protocol/network-address';
import { parsedBy } from '../../protocol/parsed-by';
import { onField } from '../../protocol/stream-parameters';
import { type ExperimentDeclaration, nothingSaid } from '../declaration';

export const preflightParameters = z.strictObject({
  host: z
    .string()
    .superRefine(parsedBy((text) => hostOf(text, 'host')))
    .optional()
    .describe('Name or address of the other machine; the network to it is tested')
    .meta({ title: 'Other machine, name or address' }),
  interface: z
    .string()
    .min(1)
    .max(15)
    .optional()
    .describe('Network interface that is checked, for example eth0; default: the one towards the host')
    .meta({ title: 'Network interface' }),
  senders: z
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('How many NDI ports of the other machine to test, from 5961 on')
    .meta({ title: 'NDI ports to test, from 5961' }),
  movie: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Path of a movie whose disk is tested')
    .meta({ title: 'Movie whose disk is tested' }),
  durationSeconds: z
    .number()
    .min(0.5)
    .max(60)
    .default(3)
    .describe('How long to listen for clock traffic (PTP, Dante) and to watch for errors of the interface, s')
    .meta({ title: 'Listening time' }),
  on: onField,
});

export type PreflightParameters = z.infer<typeof preflightParameters>;

/** What the checks take besides listening. */
const checksSeconds = 6;

export const preflightDeclaration: ExperimentDeclaration<typeof preflightParameters> = {
  id: 'preflight',
  order: 70,
  title: 'Preflight',
  purpose:
    'Is this machine and its network set up right for video? Preflight checks the known causes of lost frames. Each finding has advice and, where one helps, a command. Nothing is changed.',
  study: 'NDI performance testing, Derivative / Cocolabs, October 2019: its checks of machine and network',
  parameters: preflightParameters,
  basic: ['host', 'interface', 'senders', 'movie', 'durationSeconds', 'on'],
  elsewhere: {
    parameters: preflightParameters
      .omit({ on: true, interface: true })
      .extend({ movie: z.string().min(1).max(400).optional() }),
    places: { movie: 'movie' },
  },
  renamedParameters: { networkInterface: 'interface', listenSeconds: 'durationSeconds' },
  columns: [
    ...columnsOf('verdict', 'preflight.state'),
    ...columnsOf('measure', 'preflight.found', 'preflight.advice', 'preflight.command'),
  ],
  charts: [],
  verdictWords: {
    PASS: 'Every check is OK.',
    WARN: 'No check found a problem, but one has a warning or its answer is unknown.',
    FAIL: 'A check found a problem.',
    INVALID: nothingSaid('this machine'),
  },
  expectedSeconds: ({ durationSeconds }) => 2 * durationSeconds + checksSeconds,
};
