import { type Camera, type CameraProblem, cameraProblem, closeCamera, openCamera, setTorch } from '../camera/camera.ts';
import { readFrames } from '../camera/read-frames.ts';
import { partOf, sayIn, showPart, showView } from './parts.ts';

interface CameraOptions {
  readonly onText: (text: string) => void;
  /** Aborted when the scanner closes. */
  readonly signal: AbortSignal;
}

interface CameraControl {
  /** Shows the picture, or why there is none. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** Opens the camera while it is wanted and the page is visible; closes it at once otherwise. */
export function runCamera(dialog: HTMLDialogElement, { onText, signal }: CameraOptions): CameraControl {
  const video = dialog.querySelector('video');
  if (video === null) throw new Error('The scanner has no picture.');
  let isWanted = false;
  let deviceId: string | null = null;
  let camera: Camera | null = null;
  let isLit = false;
  let stopReading = () => {};
  /** Counts the attempts: one that was given up has no effect. */
  let attempt = 0;

  const release = () => {
    attempt += 1;
    stopReading();
    if (camera !== null) closeCamera(camera);
    camera = null;
    isLit = false;
    video.srcObject = null;
  };
  const showState = (aim: 'aim' | 'failed' = 'aim') => {
    sayIn(dialog, 'state', camera === null ? 'asking' : 'on');
    sayIn(dialog, 'aim', camera === null ? '' : aim);
    showPart(dialog, 'viewfinder', camera !== null);
    showPart(dialog, 'switch', camera !== null && camera.next !== null);
    showPart(dialog, 'torch', camera?.hasTorch === true);
    showPart(dialog, 'torch-on', isLit);
    showPart(dialog, 'torch-off', !isLit);
    const torch = partOf(dialog, 'torch');
    torch.ariaLabel = torch.dataset[isLit ? 'on' : 'off'] ?? '';
  };
  const fail = (problem: CameraProblem | 'unreadable') => {
    release();
    for (const element of dialog.querySelectorAll<HTMLElement>('[data-problem]')) {
      element.hidden = element.dataset.problem !== problem;
    }
    showView(dialog, 'problem');
    if (problem === 'denied') void whenAllowed(attempt);
  };
  const open = async () => {
    release();
    if (!isWanted) return;
    showView(dialog, 'camera');
    showState();
    if (document.visibilityState !== 'visible') return;
    const own = attempt;
    // The decoder is fetched while the camera opens.
    stopReading = readFrames(video, dialog.dataset.scanner ?? '', { onText, onFailure: () => fail('unreadable') });
    try {
      const opened = await openCamera(deviceId);
      if (own !== attempt) return closeCamera(opened);
      camera = opened;
      opened.stream.getVideoTracks()[0]?.addEventListener('ended', () => own === attempt && fail('busy'));
      video.srcObject = opened.stream;
      // Playing stops by itself when the scanner closes first.
      video.play().catch(() => {});
      showState();
    } catch (error) {
      if (own === attempt) fail(cameraProblem(error));
    }
  };
  /** Opens it when the denied permission is granted in the browser's settings. */
  const whenAllowed = async (own: number) => {
    // Where the browser does not report it, a button retries.
    const permission = await navigator.permissions?.query({ name: 'camera' }).catch(() => null);
    permission?.addEventListener(
      'change',
      () => {
        if (permission.state === 'granted' && own === attempt) void open();
      },
      { signal },
    );
  };
  const toggleTorch = async () => {
    const lit = camera;
    if (lit === null) return;
    const isDone = await setTorch(lit, !isLit).then(
      () => true,
      () => false,
    );
    if (camera !== lit) return;
    if (isDone) isLit = !isLit;
    showState(isDone ? 'aim' : 'failed');
  };

  partOf(dialog, 'again').addEventListener('click', () => void open(), { signal });
  partOf(dialog, 'torch').addEventListener('click', () => void toggleTorch(), { signal });
  partOf(dialog, 'switch').addEventListener(
    'click',
    () => {
      deviceId = camera?.next ?? null;
      void open();
    },
    { signal },
  );
  document.addEventListener('visibilitychange', () => isWanted && void open(), { signal });
  const stop = () => {
    isWanted = false;
    release();
  };
  signal.addEventListener('abort', stop);
  return {
    start() {
      isWanted = true;
      void open();
    },
    stop,
  };
}
