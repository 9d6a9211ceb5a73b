import { z } from 'zod';

/** What versions of iperf3 report. What one lacks, or what is no figure, is null. */

/** No test counts as much; divided by the shortest time, it is still a number. */
const most = 1e18;
const shortestSeconds = 1e-6;

const amount = z.number().nonnegative().max(most).nullable().catch(null);
/** A sender without retransmits says −1 or nothing. */
const count = z.int().nonnegative().nullable().catch(null);
/** One below 0 is read: the row then names it. */
const signed = z.number().min(-most).max(most).nullable().catch(null);
const text = z.string().nullable().catch(null);

const partSchema = z
  .object({
    ...{
      bytes: amount,
      bits_per_second: amount,
      seconds: z.number().min(shortestSeconds).max(most).nullable().catch(null),
    },
    ...{ retransmits: count, mean_rtt: amount },
    ...{
      packets: count,
      jitter_ms: amount,
      lost_packets: signed,
      lost_percent: signed,
      out_of_order: signed,
    },
  })
  .nullable()
  .catch(null);
export type IperfPart = NonNullable<z.output<typeof partSchema>>;

export const startSchema = z.object({
  version: text,
  connecting_to: z.object({ host: text, port: count }).catch({ host: null, port: null }),
  connected: z.array(z.object({ remote_host: text })).catch([]),
  test_start: z
    .object({
      ...{ protocol: text, num_streams: count, blksize: count, duration: amount, omit: amount },
      ...{
        reverse: signed,
        bidir: signed,
        tos: signed,
        target_bitrate: amount,
        bytes: amount,
        blocks: amount,
      },
    })
    .partial()
    .catch({}),
});
export const intervalsSchema = z
  .array(
    z.object({
      sum: z.object({
        bytes: z.number().nonnegative().max(most),
        seconds: amount,
        omitted: z.boolean().optional(),
      }),
    }),
  )
  .nullable()
  .catch(null);
export const endSchema = z.object({
  streams: z.array(z.object({ sender: partSchema, receiver: partSchema, udp: partSchema })).catch([]),
  ...{ sum: partSchema, sum_sent: partSchema, sum_received: partSchema },
  cpu_utilization_percent: z
    .object({ host_total: amount, remote_total: amount })
    .catch({ host_total: null, remote_total: null }),
  sender_tcp_congestion: text,
});
export type IperfEnd = z.output<typeof endSchema>;

/** Of what this end counted. */
export interface IperfInterval {
  mb: number;
  seconds: number | null;
}
