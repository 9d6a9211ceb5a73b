/** The native addons for the rest of the house: how to load them, and their types. */
export {
  type Addon,
  type ContentAddon,
  findAddon,
  findContentAddon,
  loadAddon,
  loadContentAddon,
  loadMachineAddon,
  type MachineAddon,
} from './load';
export type {
  Finder,
  MovieCheck,
  NativeErrorCode,
  NdiRuntime,
  Preview,
  ProcessorScore,
  ReadTexture,
  Receiver,
  ReceiverOptions,
  ReceiverTarget,
  Sender,
  SenderOptions,
  SenderStatus,
  Source,
  SourceOptions,
  StandstillWatch,
  TextureReader,
  TextureReaderOptions,
  WakeUpLateness,
} from './whiteline';
export type { ContentWriter, QualityCheck } from './whiteline-content';
export type { BookedInterface, BookedProcess } from './whiteline-machine';
