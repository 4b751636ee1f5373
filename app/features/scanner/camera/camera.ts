/** Why there is no picture of a camera: it was refused, there is none, or somebody else holds it. */
export type CameraProblem = 'denied' | 'missing' | 'busy';

export interface Camera {
  readonly stream: MediaStream;
  /** Whether the device has a light beside this camera that can be turned on. */
  readonly hasTorch: boolean;
  /** The device's other camera, if it has one: what to open next. */
  readonly next: string | null;
}

/** What browsers on phones add to a camera's abilities: https://w3c.github.io/mediacapture-image */
interface TorchAbility {
  readonly torch?: boolean;
}

/**
 * Opens a camera, the one that looks away from the person unless `deviceId` says which. The browser asks for permission.
 * Rejects with what `cameraProblem` explains.
 */
export async function openCamera(deviceId: string | null): Promise<Camera> {
  // Without a secure connection a browser has no such thing at all.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) throw new DOMException('No media devices.', 'NotFoundError');
  const stream = await devices.getUserMedia({
    audio: false,
    video: {
      ...(deviceId === null ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: deviceId } }),
      width: { ideal: 1_280 },
      height: { ideal: 720 },
    },
  });
  const [track] = stream.getVideoTracks();
  const current = track?.getSettings().deviceId;
  // Their ids are known only once permission is given.
  const cameras = (await devices.enumerateDevices().catch(() => [])).filter(({ kind }) => kind === 'videoinput');
  const position = cameras.findIndex((camera) => camera.deviceId === current);
  const next = cameras.length > 1 ? cameras[(position + 1) % cameras.length] : undefined;
  return { stream, hasTorch: torchOf(track), next: next?.deviceId ?? null };
}

export function closeCamera({ stream }: Camera): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Turns the light beside the camera on or off. Rejects where it does not obey. */
export async function setTorch({ stream }: Camera, on: boolean): Promise<void> {
  // The light is an ability that TypeScript's library does not describe.
  const constraint: MediaTrackConstraintSet & TorchAbility = { torch: on };
  await stream.getVideoTracks()[0]?.applyConstraints({ advanced: [constraint] });
}

/** What kept a camera from opening, by the errors of https://w3c.github.io/mediacapture-main/#dom-mediadevices-getusermedia */
export function cameraProblem(error: unknown): CameraProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing';
}

function torchOf(track: MediaStreamTrack | undefined): boolean {
  // Firefox had no getCapabilities before version 132.
  if (track === undefined || !('getCapabilities' in track)) return false;
  const abilities: MediaTrackCapabilities & TorchAbility = track.getCapabilities();
  return abilities.torch === true;
}
