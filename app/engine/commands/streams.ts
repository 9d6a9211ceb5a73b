import type { streamCommands } from '../../protocol/console-commands';
import { badInput, WhitelineError } from '../../protocol/errors';
import { hostAndPortOf } from '../../protocol/network-address';
import { streamSourceSchema } from '../../protocol/stream-parameters';
import type { Handlers } from '../../rpc/serve-commands';
import { noMachine } from '../machines/no-machine';
import { senderPlaceOf } from '../streams/found-host';
import { LiveSources } from '../streams/live-sources';
import type { Stream } from '../streams/stream';
import { done, type EngineParts } from './engine-parts';

export function streamHandlers({
  instrument,
  work,
  live,
  application,
}: Pick<EngineParts, 'instrument' | 'work' | 'live' | 'application'>): Handlers<typeof streamCommands> {
  const liveSources = new LiveSources();
  async function absent(machine: string): Promise<WhitelineError> {
    return noMachine('sendOn', machine, (await application.fleet?.names()) ?? []);
  }
  function streamOf(streamId: number): Stream {
    const stream = instrument.streams.find(({ id }) => id === streamId);
    if (stream) return stream;
    throw new WhitelineError({ code: 'NOT_FOUND', message: `There is no stream ${streamId} any more` });
  }
  return {
    timeline: ({ streamId, range }) => instrument.timeline(streamOf(streamId), range),
    explainLoss: ({ streamId, key }) => instrument.lossOf(streamOf(streamId), key),
    addStream: ({ parameters }) => done(work.changeStreams(() => live.add(parameters))),
    followSource: async ({ source, address }) => {
      if (address !== undefined) {
        hostAndPortOf(address, 'address');
        await senderPlaceOf(address);
      }
      return done(work.changeStreams(() => live.follow(source, address)));
    },
    searchAddress: async ({ address }) => {
      const { host, hasPort } = await senderPlaceOf(address);
      if (!hasPort) await instrument.set.searchHost(host);
      return { hasPort };
    },
    removeStream: ({ streamId }) => done(work.inTurn(() => live.remove(streamId))),
    renameStream: ({ streamId, streamName }) => done(work.inTurn(() => live.rename(streamId, streamName))),
    listLiveSources: async () => {
      const { set } = instrument;
      return liveSources.list(await set.discover(), set.streams, set.followed.streams);
    },
    listMovies: async ({ machine }) => {
      const movies = await application.fleet?.movies(machine);
      if (movies) return movies;
      throw await absent(machine);
    },
    inspectMovie: async ({ machine, movie: source }) => {
      const { format, pixelFormat } = streamSourceSchema.parse({ source });
      const look = await application.fleet?.movie(machine, { source, format, pixelFormat });
      if (look) return look;
      throw await absent(machine);
    },
    listMachines: async () => (await application.fleet?.names()) ?? [],
    reportDisplay: ({ report }) => {
      const nowNs = instrument.wall.clock.monotonicNs();
      // Reported late, the stream may be gone.
      const stream = instrument.streams.find(({ id }) => id === report.streamId);
      if (stream && stream.receivedOn !== null)
        throw badInput(
          'streamId',
          'a stream that this machine receives',
          `one that ${stream.receivedOn} receives`,
        );
      stream?.display?.add(report, nowNs);
      return null;
    },
  };
}
