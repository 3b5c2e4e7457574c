'use strict';

/** Elements of drawings; text is text alone. */
const SVG = 'http://www.w3.org/2000/svg';

function add(parent, name, attributes = {}, text = '') {
  const element = parent.namespaceURI === SVG || name === 'svg'
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.textContent = text;
  parent.append(element);
  return element;
}

/** A drawing of this size, in its own units. */
function drawing(parent, width, height, label) {
  return add(parent, 'svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
}

/** Something whose name is shown while the pointer or the focus is on it. */
function mark(parent, name, attributes, hint) {
  const element = add(parent, name, { ...attributes, class: `mark ${attributes.class}`, tabindex: 0, 'data-hint': hint });
  const place = document.getElementById('hint');
  const show = () => {
    place.textContent = hint;
    place.hidden = false;
  };
  const hide = () => {
    place.hidden = true;
  };
  element.addEventListener('pointerenter', show);
  element.addEventListener('focus', show);
  element.addEventListener('pointerleave', hide);
  element.addEventListener('blur', hide);
  return element;
}

/** A number with three significant digits. */
function short(value) {
  return String(Number(Number(value).toPrecision(3)));
}
