// ---- The drawing as a file

/** The properties of what is drawn that a picture needs; without the page there are no variables. */
const PAINTED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray'];
const WRITTEN = ['font-family', 'font-size', 'font-weight', 'text-anchor'];

/** Text without the characters that XML cannot have. */
const inXml = (text) => text.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');

/** A colour as every program that shows pictures reads it. */
function plainColour(colour, context) {
  if (!/^(color|oklab|oklch|lab|lch|color-mix)\(/.test(colour)) {
    return colour;
  }
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Copies a part of the drawing with what its styles come to; equal styles are one class. */
function copied(element, classes, context) {
  const copy = document.createElementNS(SVG, element.localName);
  for (const name of ['transform', 'd', 'x', 'y', 'width', 'height', 'rx', 'dominant-baseline', 'direction']) {
    if (element.hasAttribute(name)) {
      copy.setAttribute(name, element.getAttribute(name));
    }
  }
  if (element.localName === 'g') {
    copy.append(...[...element.children].map((child) => copied(child, classes, context)));
    const label = element.getAttribute('aria-label');
    if (label !== null) {
      copy.prepend(draw('title', {}, inXml(label)));
    }
    return copy;
  }
  if (element.localName === 'text') {
    copy.textContent = inXml(element.textContent);
  }
  const computed = getComputedStyle(element);
  const own = [...PAINTED, ...(element.localName === 'text' ? WRITTEN : [])]
    .map((name) => `${name}:${plainColour(computed.getPropertyValue(name), context)}`)
    .join(';');
  if (!classes.has(own)) {
    classes.set(own, `s${classes.size}`);
  }
  copy.setAttribute('class', classes.get(own));
  return copy;
}

/** The whole drawing as a document of its own, in the colours that are shown, without the selection. */
function picture() {
  const drawing = at('drawing');
  const zoomed = ['mid', 'far', 'dots'].filter((name) => drawing.classList.contains(name));
  const selected = nodes[state.node]?.group;
  drawing.classList.remove(...zoomed);
  selected?.classList.remove('selected');
  const near = routes.filter((route) => route.path.classList.contains('near'));
  near.forEach((route) => route.path.classList.remove('near'));
  const context = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const classes = new Map();
  const parts = [...world.children].map((child) => copied(child, classes, context));
  drawing.classList.add(...zoomed);
  selected?.classList.add('selected');
  near.forEach((route) => route.path.classList.add('near'));
  const {width, height} = model();
  const margin = 16;
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin];
  const svg = draw('svg', {viewBox: box.join(' '), width: box[2], height: box[3]});
  const background = plainColour(getComputedStyle(document.body).backgroundColor, context);
  svg.append(
    draw('title', {}, inXml(document.title)),
    draw('style', {}, [...classes].map(([style, name]) => `.${name}{${style}}`).join('\n')),
    draw('rect', {x: box[0], y: box[1], width: box[2], height: box[3], fill: background}),
    ...parts,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

function savePicture() {
  const name = `${model().name} ${report().column}`.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100);
  const address = URL.createObjectURL(new Blob([picture()], {type: 'image/svg+xml'}));
  make('a', {href: address, download: `${name}.svg`}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say('The drawing is saved.');
}
