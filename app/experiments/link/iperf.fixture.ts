import type { ToolCall } from '../../engine/tools/run-tool';
import type { ToolAnswer } from '../../testing/scripted-tools';

/** What a link does to one call of iperf3. */
export interface MadeUpLink {
  mbps: number;
  /** Of UDP. */
  lostShare?: number;
  jitterMs?: number;
  outOfOrder?: number;
  /** Of TCP. */
  retransmits?: number;
  rttMs?: number;
  localCpuPercent?: number;
  remoteCpuPercent?: number;
}

/** From the start of iperf3 to that of its time, and back. */
const connectSeconds = 0.25;

/** Whether only the version is asked for, which takes no time. */
export function asksVersion({ args }: ToolCall): boolean {
  return args.includes('--version');
}

/** What iperf3 3.12 prints that is called so, and when it ends. */
export function iperfAnswer(call: ToolCall, link: MadeUpLink): ToolAnswer {
  const { args } = call;
  if (asksVersion(call)) return { stdout: 'iperf 3.12 (cJSON 1.7.15)\nLinux host 6.18 x86_64\n' };
  const of = (flag: string): string => args[args.indexOf(flag) + 1] ?? '';
  const [isUdp, isReverse] = [args.includes('-u'), args.includes('-R')];
  const [host, port, streams] = [of('-c'), Number(of('-p')), Number(of('-P'))];
  const seconds = Number(of('-t'));
  const omitSeconds = isUdp ? 0 : Number(of('-O'));
  const blockBytes = isUdp ? Number(of('-l')) : 131_072;
  const targetBits = args.includes('-b') ? Number(of('-b')) : 0;
  const start = {
    version: 'iperf 3.12',
    connecting_to: { host, port },
    connected: Array.from({ length: streams }, () => ({ remote_host: host })),
    test_start: {
      ...{ protocol: isUdp ? 'UDP' : 'TCP', num_streams: streams, blksize: blockBytes, omit: omitSeconds },
      ...{ duration: seconds, bytes: 0, blocks: 0, reverse: isReverse ? 1 : 0, tos: 0 },
      target_bitrate: targetBits,
    },
  };
  const { localCpuPercent = 12.5, remoteCpuPercent = 25 } = link;
  const cpu = { cpu_utilization_percent: { host_total: localCpuPercent, remote_total: remoteCpuPercent } };
  const body = isUdp
    ? udpEnd(link, { seconds, streams, blockBytes })
    : tcpEnd(link, { seconds, streams, isReverse });
  const { bytes } = isReverse ? body.sum_received : body.sum_sent;
  const intervals = [{ sum: { bytes, seconds, omitted: false } }];
  const report = { start, intervals, end: { ...body, ...cpu } };
  return { seconds: connectSeconds + omitSeconds + seconds, stdout: JSON.stringify(report, null, 1) };
}

interface Asked {
  seconds: number;
  streams: number;
}

function tcpEnd(link: MadeUpLink, { seconds, streams, isReverse }: Asked & { isReverse: boolean }) {
  const { mbps, retransmits = 0, rttMs = 0.5 } = link;
  const each = Math.round((mbps * 1e6 * seconds) / 8 / streams);
  const sum = { bytes: each * streams, bits_per_second: (8 * each * streams) / seconds, seconds };
  return {
    streams: Array.from({ length: streams }, (_, index) => ({
      // All of them in the first; of the other end’s, this one says 0.
      sender: {
        bytes: each,
        retransmits: index === 0 ? retransmits : 0,
        mean_rtt: isReverse ? 0 : rttMs * 1000,
      },
      receiver: { bytes: each },
    })),
    sum_sent: { ...sum, retransmits },
    sum_received: sum,
    sender_tcp_congestion: 'cubic',
  };
}

function udpEnd(link: MadeUpLink, { seconds, streams, blockBytes }: Asked & { blockBytes: number }) {
  const { mbps, lostShare = 0, jitterMs = 0.01, outOfOrder = 0 } = link;
  const each = Math.round((mbps * 1e6 * seconds) / 8 / blockBytes / streams);
  const [packets, lostEach] = [each * streams, Math.round(each * lostShare)];
  const lost = lostEach * streams;
  const sumOf = (count: number) => ({
    ...{ bytes: count * blockBytes, bits_per_second: (8 * count * blockBytes) / seconds, seconds },
    packets,
  });
  return {
    streams: Array.from({ length: streams }, (_, index) => ({
      udp: {
        ...{ bytes: each * blockBytes, packets: each, lost_packets: lostEach },
        out_of_order: index === 0 ? outOfOrder : 0,
      },
    })),
    sum_sent: sumOf(packets),
    sum_received: {
      ...{ ...sumOf(packets - lost), jitter_ms: jitterMs, lost_packets: lost },
      lost_percent: (100 * lost) / packets,
    },
  };
}

/** What ping prints of echoes that came back so late; null: one was not answered. */
export function pingAnswer({ args }: ToolCall, rttsMs: readonly (number | null)[]): ToolAnswer {
  const host = args.at(-1) ?? '';
  const lines = rttsMs.flatMap((rtt, index) =>
    rtt === null ? [] : [`64 bytes from ${host}: icmp_seq=${index + 1} ttl=64 time=${rtt} ms`],
  );
  const totals = `${rttsMs.length} packets transmitted, ${lines.length} received, 0% packet loss, time 1ms`;
  const stdout = [`PING ${host} (${host}) 56(84) bytes of data.`, ...lines, '', totals, ''].join('\n');
  return { stdout, seconds: 0.2 * rttsMs.length, exitCode: lines.length < rttsMs.length ? 1 : 0 };
}

/** What `ip` prints of the way to any address. */
export function ipAnswer({ args }: ToolCall, name: string): ToolAnswer {
  const link = { ifindex: 2, mtu: 1500, address: '02:00:00:00:00:01', operstate: 'UP' };
  return { stdout: JSON.stringify([args.includes('route') ? { dev: name } : link]) };
}
