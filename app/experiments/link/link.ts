import { judgedAlone } from '../../engine/experiment/elsewhere/on-each-machine';
import type { ContextWith, Experiment, Requirement } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import { iperfVersion, OwnIperfServer, whyNoOwnServer } from '../../engine/tools/iperf-server';
import { runTool } from '../../engine/tools/run-tool';
import { toolRequirement } from '../../engine/tools/tool-problem';
import type { ClosedRow } from '../../facts/row';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import type { Clock } from '../../protocol/clock';
import { badInput, toProblem, WhitelineError } from '../../protocol/errors';
import { type LinkParameters, linkDeclaration, linkParameters, usualStreamMbps } from './declaration';
import { addressOf, findEndpoint } from './endpoint';
import { whyNoServer } from './iperf';
import { LinkRun } from './link-run';
import { betweenText, checkPair, pairOf } from './pair';
import { howToGetIperf } from './pair-ends';
import { pairRows } from './pair-run';
import { overLoopback } from './reasons';
import { linkVerdict } from './verdict';

export const link: Experiment<typeof linkParameters, ClosedRow, 'machine' | 'machines' | 'tools'> = {
  declaration: linkDeclaration,
  needs: (parameters) => ['machine', 'tools', ...(pairOf(parameters) ? ['machines' as const] : [])],
  // Of a pair, the run asks both machines before it starts anything.
  requires: (parameters) =>
    pairOf(parameters) ? [] : [toolRequirement('iperf3', howToGetIperf), serverRequirement(parameters)],
  machineChecks: [
    machineCheck(linkParameters.pick({ host: true, sendOn: true, receiveOn: true }), async (parameters) => {
      if (!pairOf(parameters)) await addressOf(parameters.host);
    }),
  ],
  async check(parameters) {
    const { passPercent, warnPercent, rates, maxStreams, streamMbps } = parameters;
    const wrong: WhitelineError[] = [];
    if (!rates.includes('ndi') && (maxStreams !== undefined || streamMbps !== usualStreamMbps)) {
      const field = maxStreams === undefined ? 'streamMbps' : 'maxStreams';
      wrong.push(badInput(field, 'rates with ndi beside it', parameters[field], 'Add ndi to the rates'));
    }
    if (warnPercent > passPercent)
      wrong.push(badInput('warnPercent', `at most ${passPercent}, from which on TCP passes,`, warnPercent));
    const pair = pairOf(parameters);
    if (pair) wrong.push(...(await wrongBy(() => checkPair(pair, parameters))));
    throwAll(wrong);
    if (pair) {
      return { subject: betweenText(pair), environment: { topology: betweenText(pair) } };
    }
    const { address, own, port, line, rate } = await findEndpoint(parameters, runTool);
    const { loopback } = line;
    const version = await iperfVersion(runTool);
    return {
      subject: loopback
        ? `${parameters.host || 'localhost'}, ${overLoopback}`
        : `to ${parameters.host} (${address})`,
      environment: {
        topology: loopback ? 'this machine alone, over loopback' : `this machine and ${parameters.host}`,
        link: {
          address,
          port: own ? null : port,
          lineRate: rate,
          interface: line,
          otherHost: parameters.otherHost || null,
        },
        iperf3: version,
        iperf3Server: (own ? version : null) ?? 'not known',
      },
    };
  },
  run(parameters, context) {
    const pair = pairOf(parameters);
    return pair ? pairRows(pair, parameters, context) : run(parameters, context);
  },
  verdict: (rows, parameters, thresholds) =>
    judgedAlone({ verdict: linkVerdict }, rows, parameters, thresholds),
};

function serverRequirement(parameters: LinkParameters): Requirement {
  return {
    name: 'iperf3 server',
    async check() {
      const { address, own, port, line } = await findEndpoint(parameters, runTool);
      const callerVersion = await iperfVersion(runTool);
      const whyNot = own ? whyNoOwnServer(callerVersion) : null;
      if (own) return whyNot && `${whyNot}, or start one (iperf3 -s) and give its --port`;
      const found = await whyNoServer({ host: address, port, callerVersion }, runTool);
      if (found === null) return null;
      const host = parameters.host || address;
      if (!found.isAbsent) return `The iperf3 server at ${host}, port ${port} cannot be used: ${found.why}`;
      const isHere = line.loopback && parameters.port !== undefined;
      const other = isHere ? ', or leave --port out: Whiteline then starts a server of its own' : '';
      return `No iperf3 server answers at ${host}, port ${port} (${found.why}). Start one on that host: iperf3 -s -p ${port}${other}`;
    },
  };
}

type LinkContext = ContextWith<'machine' | 'tools'>;

const loopbackAddress = '127.0.0.1';
/** A client may hear of the end of the server before we do. */
const noticedWithinMs = 500;

async function* run(parameters: LinkParameters, context: LinkContext): AsyncGenerator<ClosedRow> {
  const { tools, signal, clock } = context;
  const endpoint = await findEndpoint(parameters, tools.run);
  const callerVersion = await iperfVersion(tools.run);
  const own = endpoint.own
    ? await OwnIperfServer.start({ run: tools.run, address: loopbackAddress, signal })
    : null;
  const { host, port } = own ?? { host: endpoint.address, port: endpoint.port };
  try {
    yield* new LinkRun(parameters, context, endpoint, { host, port, callerVersion }).rows();
  } catch (error) {
    if (!signal.aborted) throw own ? await explained(error, own, clock, signal) : error;
  } finally {
    await own?.stop();
  }
}

/** What a client failed with; where our server has ended, that is said first. */
async function explained(
  error: unknown,
  own: OwnIperfServer,
  clock: Clock,
  signal: AbortSignal,
): Promise<unknown> {
  const how = await Promise.race([own.ended, clock.sleep(noticedWithinMs, signal)]);
  if (!how || !(error instanceof WhitelineError)) return error;
  return new WhitelineError({
    ...toProblem(error),
    message: `our iperf3 server ${how}; ${error.message}`,
  });
}
