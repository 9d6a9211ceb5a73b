import type { ContextWith, Experiment, Requirement } from '../../engine/experiment/experiment';
import { machineCheck } from '../../engine/experiment/machine-check';
import { oneMachine } from '../../engine/sessions/environment';
import { mayMakeNetworks } from '../../engine/tools/rights';
import { toolRequirement } from '../../engine/tools/tool-problem';
import { counted } from '../../facts/count-words';
import type { ClosedRow } from '../../facts/row';
import { checkScale, findRegistry, refuseLoopback } from './checks';
import { type NmosScaleParameters, nmosScaleDeclaration, nmosScaleParameters } from './declaration';
import { nodesElsewhere } from './nodes-elsewhere';
import { programsMissing } from './programs';
import { isElsewhere, machinesText } from './scale-machines';
import { ScaleRun } from './scale-run';
import { nmosScaleVerdict } from './verdict';

export const nmosScale: Experiment<typeof nmosScaleParameters, ClosedRow, 'helper' | 'machines'> = {
  declaration: nmosScaleDeclaration,
  needs: (parameters) => ['helper', ...(isElsewhere(parameters) ? (['machines'] as const) : [])],
  requires({ inNamespaces }) {
    if (!inNamespaces) return [programs];
    if (process.platform !== 'linux') return [linuxOnly];
    const packages = { ip: 'iproute2', unshare: 'util-linux', nsenter: 'util-linux' };
    const tools = Object.entries(packages).map(([tool, name]) =>
      toolRequirement(tool, `Install it (Debian: apt-get install ${name})`),
    );
    return [programs, ownNetworks, ...tools];
  },
  machineChecks: [
    machineCheck(nmosScaleParameters.pick({ registry: true, query: true }), async ({ registry, query }) => {
      if (registry !== undefined) await findRegistry(registry, query);
    }),
  ],
  async check(parameters) {
    checkScale(parameters);
    const { registry, query, registryCount, nodes, connections, poolSize } = parameters;
    const found = registry === undefined ? null : await findRegistry(registry, query);
    if (found) await refuseLoopback(found.origin, parameters);
    const own = registryCount === 1 ? 'Whiteline’s own registry' : 'two of Whiteline’s own registries';
    const by = connections === 'pool' ? `${poolSize} connections for all` : 'a connection each';
    const where = isElsewhere(parameters) ? `on ${machinesText(parameters)}` : null;
    const at = found ? `${found.origin} (${found.version})` : own;
    const resources = `${counted(nodes, 'node')} with 6 resources each`;
    return {
      subject: [resources, by, ...(where ? [where] : []), `at ${at}`].join(', '),
      environment: {
        topology: topologyOf(where, found !== null),
        nmos: { registry: found?.origin ?? own, version: found?.version ?? 'v1.3' },
      },
    };
  },
  helpersElsewhere: [nodesElsewhere],
  run,
  verdict: nmosScaleVerdict,
};

const programs: Requirement = {
  name: 'NMOS programs',
  check: async () => programsMissing(),
};

function topologyOf(where: string | null, isForeign: boolean): string {
  if (where) return `nodes ${where}; ${isForeign ? 'an external registry' : 'the registry on this machine'}`;
  return isForeign ? 'this machine and an external registry' : oneMachine;
}

const linuxOnly: Requirement = {
  name: 'Linux',
  check: async () =>
    'Network namespaces exist on Linux only. Leave out --in-namespaces: nodes then stop sending during a break',
};

const ownNetworks: Requirement = {
  name: 'network namespaces',
  check: async () =>
    mayMakeNetworks()
      ? null
      : 'Network namespaces need root (CAP_NET_ADMIN, CAP_SYS_ADMIN). Start Whiteline as root, or leave out --in-namespaces',
};

async function* run(
  parameters: NmosScaleParameters,
  context: ContextWith<'helper' | 'machines'>,
): AsyncGenerator<ClosedRow> {
  const scale = new ScaleRun(parameters, context);
  try {
    yield* scale.rows();
  } finally {
    await scale.close();
  }
}
